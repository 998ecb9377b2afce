import { IngestError } from "#domain/content/job.ts";

const readError = (code: string, message: string, cause?: unknown): IngestError =>
  new IngestError(code, message, { stage: "extract", ...(cause === undefined ? {} : { cause }) });

/** The file is damaged, or does not have the format of its type. */
export const unreadableError = (cause?: unknown): IngestError =>
  readError(
    "unreadable_file",
    "The file is damaged, or its format is not what its name or type says. Save it again, or paste its text as a text tile.",
    cause,
  );

export const encryptedError = (what: string): IngestError =>
  readError("encrypted", `The ${what} is protected by a password. Save a copy without one, or paste its text as a text tile.`);

/** The file, or its unpacked content, exceeds a limit. `reason` is a complete sentence. */
export const tooLargeError = (reason: string): IngestError => readError("too_large", `${reason} Paste the part you need as a text tile.`);

export const noTextError = (message: string): IngestError => readError("no_text", message);

export const unsupportedError = (message: string): IngestError => readError("unsupported_content", message);
