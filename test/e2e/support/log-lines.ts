type Line = {
  readonly msg: string;
  readonly err?: { readonly message: string; readonly stack: string };
  readonly origin?: string;
  readonly counted?: readonly string[];
  readonly failed?: readonly string[];
};

/** Parses the log lines of a level. */
export const parseLogLines = (text: string, level: string): Line[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`{"level":"${level}"`))
    .map((line) => JSON.parse(line));
