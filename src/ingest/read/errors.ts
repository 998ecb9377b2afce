import { IngestError } from "#domain/content/job.ts";

const fault = (code: string, message: string, cause?: unknown): IngestError =>
  new IngestError(code, message, { stage: "extract", ...(cause === undefined ? {} : { cause }) });

/** The bytes are not what they claim to be, or are damaged. */
export const unreadableError = (cause?: unknown): IngestError =>
  fault("unreadable_file", "The file is damaged or not of the form it claims. Save it anew, or paste its text as a text tile.", cause);

export const encryptedError = (what: string): IngestError =>
  fault("encrypted", `The ${what} is protected by a password. Save a copy without one, or paste its text as a text tile.`);

/** It unpacks to, or is, more than is read. */
export const tooLargeError = (why: string): IngestError => fault("too_large", `${why} Paste the part you need as a text tile.`);

export const noTextError = (message: string): IngestError => fault("no_text", message);

export const unsupportedError = (message: string): IngestError => fault("unsupported_content", message);
