/** A count with its noun, such as "1 tile" or "1,200 words". `plural` is needed only for irregular nouns. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString("en")} ${pluralize(count, noun, plural)}`;

/** The singular or plural form for a count. */
export const pluralize = (count: number, singular: string, plural = `${singular}s`): string => (count === 1 ? singular : plural);
