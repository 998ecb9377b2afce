import type { FetchedResource } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";

const MAX_WAIT_SECONDS = 3_600;

/** Parses `Retry-After` (RFC 9110, 10.2.3: seconds or an HTTP date) into seconds, at most an hour. Returns undefined if it is invalid. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Math.min(MAX_WAIT_SECONDS, Number(value));
  const date = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  return Math.min(MAX_WAIT_SECONDS, Math.max(0, Math.ceil((date - now) / 1000)));
}

/** Throws `IngestError` (stage `fetch`) for a status of 400 or above. */
export function throwForStatus(resource: FetchedResource, now: number): void {
  const { status } = resource;
  if (status < 400) return;
  const wait = parseRetryAfter(resource.headers["retry-after"], now);
  const later = { stage: "fetch", retryable: true, ...(wait === undefined ? {} : { retryAfterSeconds: wait }) };
  const never = { stage: "fetch", retryable: false };
  if (status === 404 || status === 410) throw new IngestError("not_found", `The page does not exist (${status}). Check the link.`, never);
  if (status === 401 || status === 403 || status === 407 || status === 451) {
    throw new IngestError("forbidden", `The site refuses access to this page (${status}). Paste the text by hand instead.`, never);
  }
  if (status === 429) throw new IngestError("rate_limited", "The site limits requests (429). Try again later.", later);
  if (status >= 500) throw new IngestError("server_error", `The site reported an internal error (${status}). Try again later.`, later);
  if (status === 408 || status === 425)
    throw new IngestError("server_error", `The site did not answer in time (${status}). Try again later.`, later);
  throw new IngestError("http_error", `The site refused the request (${status}). Check the link.`, never);
}
