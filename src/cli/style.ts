/** Adds colours to a text, where they are shown. */
export type Style = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
};

const CODES = { bold: [1, 22], dim: [2, 22], green: [32, 39], yellow: [33, 39], red: [31, 39] } as const;

/** Returns the style for a stream: coloured on a terminal, unless NO_COLOR is set. FORCE_COLOR decides in both directions. */
export function createStyle(stream: { readonly isTTY?: boolean }): Style {
  const isColoured = hasColours(stream, process.env);
  const add = (name: keyof typeof CODES) => (text: string) =>
    isColoured ? `\u001b[${CODES[name][0]}m${text}\u001b[${CODES[name][1]}m` : text;
  return { bold: add("bold"), dim: add("dim"), green: add("green"), yellow: add("yellow"), red: add("red") };
}

function hasColours({ isTTY }: { readonly isTTY?: boolean }, { FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  return isTTY === true && (NO_COLOR ?? "") === "" && TERM !== "dumb";
}
/** Control characters, which can move the cursor or hide text on a terminal, and those that reverse the direction of text. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Escapes control characters but line feeds as JSON does, since texts of others and arguments may hold any. */
export const toPrintable = (text: string): string =>
  text.replaceAll(CONTROLS, (character) => (character === "\n" ? character : escape(character)));

/** Escapes all control characters, so that the text stays on one line. */
export const toPrintableLine = (text: string): string => text.replaceAll(CONTROLS, escape);
