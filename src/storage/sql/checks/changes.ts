import { AppError } from "#domain/core/errors/error.ts";

/** Throws 412 when the caller expects another version than the current one. */
export function checkVersion(expected: number | undefined, current: number): void {
  if (expected === undefined || expected === current) return;
  throw new AppError("precondition_failed", "It was changed in the meantime. Read it again, then repeat the change.");
}

/** Whether a patch contains no fields. An empty patch does not change `updatedAt` either. */
export const isEmpty = (patch: object): boolean => Object.keys(patch).length === 0;
