/** The first letter decides, as with `dir="auto"`. */
const FIRST_LETTER = /\p{L}/u;
/** The blocks of Hebrew, Arabic, Syriac, Thaana, N'Ko and the other scripts that run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Whether a line of text runs from right to left where the browser is left to decide. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(FIRST_LETTER.exec(text)?.[0] ?? "");
