import type { IngestError } from "#domain/content/job.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { getValue, getString } from "../../../read/json-access.ts";
import { privateError, notFoundError, regionLockedError } from "../../../extract/sources/errors.ts";

export const SERVICE = "Dailymotion";
export const ORIGIN = "https://www.dailymotion.com";
export const API = "https://api.dailymotion.com";
const MAX_CHARACTERS = 20_000;

/** Converts a description, which is plain text with `<br />` tags. */
export const toText = (description: string | null): string | null =>
  description === null ? null : htmlToText(description.slice(0, MAX_CHARACTERS).replace(/\r?\n/g, "<br>"));

function parseError(text: string): unknown {
  try {
    return getValue(JSON.parse(text), "error");
  } catch {
    return null;
  }
}

/** Returns a function that maps the API's `error`. Its `error_data.reason` is more specific than its type. */
export const createErrorMapper =
  (what: string) =>
  (status: number, text: string): IngestError | null => {
    const error = parseError(text);
    const message = [getString(error, "type"), getString(error, "error_data", "reason"), getString(error, "message")].join(" ");
    if (/geo|country|region/i.test(message)) return regionLockedError(what);
    if (status === 404 && (error === null || /not_found|not exist|deleted/i.test(message))) return notFoundError(what);
    if (/private|password/i.test(message) || (status === 403 && /access_forbidden/.test(message))) return privateError(what);
    return null;
  };
