/** Characters that are examined. */
const MAX_CHARACTERS = 4_000;
/** Share of ASCII letters in a text of unknown language; names and loan words contain a few others. */
const MIN_ASCII = 0.9;
const LETTER = /\p{L}/u;

/** Whether a text is English, or may be: no other language was detected, and its letters are English. */
export function isEnglish(text: string, detectLanguage: (text: string) => string | null): boolean {
  const language = detectLanguage(text);
  if (language !== null) return language === "en";
  let ascii = 0;
  let other = 0;
  for (const character of text.slice(0, MAX_CHARACTERS)) {
    if (!LETTER.test(character)) continue;
    if (character <= "\u007F") ascii++;
    else other++;
  }
  return ascii > 0 && ascii >= MIN_ASCII * (ascii + other);
}
