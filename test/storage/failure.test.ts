import { describe, expect, it } from "vitest";
import { AppError } from "#domain/core/errors/error.ts";
import { StorageError } from "#domain/core/errors/storage-error.ts";
import { toAppError as fromPostgres } from "#storage/postgres/engine/failure.ts";
import { toStorageError as fromSqlite } from "#storage/sqlite/engine/failure.ts";

const withCode = (code: string): Error => Object.assign(new Error("failed"), { code });

describe.each([
  {
    engine: "SQLite",
    convert: fromSqlite,
    problems: [
      ["SQLITE_FULL", "full"],
      ["SQLITE_IOERR_SHMSIZE", "full"],
      ["ENOSPC", "full"],
      ["SQLITE_READONLY_DIRECTORY", "read_only"],
      ["EROFS", "read_only"],
      ["SQLITE_CORRUPT_INDEX", "damaged"],
      ["SQLITE_NOTADB", "damaged"],
      ["SQLITE_IOERR_WRITE", "failed"],
      ["SQLITE_CANTOPEN", "failed"],
    ],
    busy: ["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_LOCKED"],
    other: "SQLITE_CONSTRAINT_UNIQUE",
  },
  {
    engine: "PostgreSQL",
    convert: fromPostgres,
    problems: [
      ["53100", "full"],
      ["25006", "read_only"],
      ["XX001", "damaged"],
      ["XX002", "damaged"],
      ["58030", "failed"],
      ["57P01", "away"],
      ["08006", "away"],
      ["ECONNREFUSED", "away"],
    ],
    busy: ["57014", "53300", "EMFILE"],
    other: "23505",
  },
])("errors of $engine", ({ convert, problems, busy, other }) => {
  it.each(problems)("the error %s means %s", (code, problem) => {
    const error = convert(withCode(code));
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ problem, code: problem === "full" ? "storage_full" : "storage_unavailable", cause: { code } });
    expect(String(error)).not.toMatch(/busy/);
  });

  it.each(busy)("the error %s passes by waiting", (code) => {
    const error = convert(withCode(code));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
  });

  it("other errors, and errors for callers, stay as they are", () => {
    const [expected, known] = [withCode(other), new AppError("invalid", "No.")];
    expect(convert(expected)).toBe(expected);
    expect(convert(known)).toBe(known);
  });
});
