import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";

/** The tables of the search index. Everything in them is derived from the tiles. */
export const INDEX_TABLES = ["board_index", "chunk", "passage_block", "posting_block", "posting"] as const;

const NAMES_INDEX_TABLE = new RegExp(`\\b(?:${INDEX_TABLES.join("|")})\\b`);
const MISSING_TABLE = new RegExp(`^no such table: (?:main\\.)?(?:${INDEX_TABLES.join("|")})$`);
/** Causes of an error that are looked at. */
const MAX_CAUSES = 4;

export const readsIndex = (sql: string): boolean => NAMES_INDEX_TABLE.test(sql);

function someCause(error: unknown, matches: (cause: Error) => boolean): boolean {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if (matches(cause)) return true;
    cause = cause.cause;
  }
  return false;
}

/** Whether the error, or one of its causes, is a damaged page. */
export const isCorruption = (error: unknown): boolean => someCause(error, (cause) => getErrorCode(cause).startsWith("SQLITE_CORRUPT"));

/** Whether a table of the index was missing, as it is for a moment during its repair. */
export const isMissingIndex = (error: unknown): boolean => someCause(error, (cause) => MISSING_TABLE.test(getErrorMessage(cause)));
