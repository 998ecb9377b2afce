/** A count with its noun, such as "1 tile", "3 tiles" or "1,200 words". `plural` is given where it is not the noun with an s. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString("en")} ${pluralize(count, noun, plural)}`;

/** The noun or verb that goes with a count which stands apart from it. */
export const pluralize = (count: number, singular: string, plural = `${singular}s`): string => (count === 1 ? singular : plural);
