import type { FetchedResource } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import { type TextResponse, fetchText, fetchJson, type FetchOptions } from "../../../extract/fetch/request.ts";

export const SERVICE = "GitHub";
export const ORIGIN = "https://github.com";
const API = "https://api.github.com";

type Call = {
  readonly path: string;
  /** The subject of error messages, such as "This repository". */
  readonly what: string;
  readonly accept?: string;
};

const MAX_WAIT_SECONDS = 3_600;

/** The API returns 404 for missing and for private content. */
export const goneError = (what: string): IngestError =>
  new IngestError(
    "not_found",
    `${what} does not exist, was deleted, or is private. Check the link, or configure a GitHub token that may see it.`,
    { stage: "extract" },
  );
const takenDownError = (what: string): IngestError =>
  new IngestError("not_found", `${what} was taken down for legal reasons (451). Paste the text by hand if you may.`, { stage: "extract" });

/** Returns an error if the rate limit of 60 calls an hour (5,000 with a token) is used up, by the headers; null for other errors. */
function toRateLimitError(status: number, headers: FetchedResource["headers"], now: number): IngestError | null {
  if (status !== 403 && status !== 429) return null;
  const isUsedUp = headers["x-ratelimit-remaining"]?.trim() === "0";
  const after = Number(headers["retry-after"] ?? "NaN");
  if (!isUsedUp && !Number.isFinite(after)) return null;
  const reset = Number(headers["x-ratelimit-reset"] ?? "NaN") - now / 1_000;
  const wait = Number.isFinite(after) ? after : reset;
  const seconds = Number.isFinite(wait) ? Math.min(MAX_WAIT_SECONDS, Math.max(1, Math.ceil(wait))) : undefined;
  return new IngestError("rate_limited", "The rate limit of GitHub is used up for now. Retry later, or configure a GitHub token.", {
    stage: "fetch",
    retryable: true,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  });
}

const fetchOptions = (context: ExtractContext, call: Call, token: string): FetchOptions => ({
  service: SERVICE,
  url: `${API}${call.path}`,
  accept: call.accept ?? "application/vnd.github+json",
  headers: { "x-github-api-version": "2022-11-28", ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
  mapError: (status, _text, headers) =>
    toRateLimitError(status, headers, context.now()) ??
    (status === 404 || status === 410 ? goneError(call.what) : status === 451 ? takenDownError(call.what) : null),
});

/** Runs a call with the operator's token. If GitHub refuses the token, the call is repeated without it, for public content. */
async function withToken<Value>(context: ExtractContext, run: (token: string) => Promise<Value>): Promise<Value> {
  const { githubToken } = context.settings;
  try {
    return await run(githubToken);
  } catch (error) {
    if (githubToken === "" || !(error instanceof IngestError) || error.code !== "forbidden") throw error;
    return run("");
  }
}

/** Calls the REST API (docs.github.com/rest, version 2022-11-28). Throws `IngestError`; 404 and 451 are permanent. */
export const fetchApi = (context: ExtractContext, call: Call): Promise<unknown> =>
  withToken(context, (token) => fetchJson(context, fetchOptions(context, call, token)));

/** Fetches a file's raw text by the REST API. */
export const fetchRawFile = (context: ExtractContext, call: Call): Promise<TextResponse> =>
  withToken(context, (token) => fetchText(context, fetchOptions(context, { accept: "application/vnd.github.raw+json", ...call }, token)));

/** Returns the path segments, still encoded. */
export const splitPath = (url: URL): string[] => url.pathname.split("/").filter((part) => part !== "");

/** Returns `owner/name`, encoded for a path. */
export function getRepository(context: ExtractContext): string {
  const [owner = "", name = ""] = (context.kind.id ?? "").split("/");
  return `${encodeURIComponent(owner)}/${encodeURIComponent(name.replace(/\.git$/, ""))}`;
}

export const isAbsent = (error: unknown): boolean => error instanceof IngestError && error.code === "not_found";
