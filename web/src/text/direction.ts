/** The first letter decides, as with `dir="auto"`. */
const FIRST_LETTER = /\p{L}/u;
/** The Unicode blocks of Hebrew, Arabic, Syriac, Thaana, N'Ko and other right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Whether `dir="auto"` renders a text from right to left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(FIRST_LETTER.exec(text)?.[0] ?? "");
