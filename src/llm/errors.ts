import { ModelError, type ModelFailure } from "#domain/model/model.ts";
import { describeShortage, findShortage, ShortageError } from "#domain/core/errors/shortage.ts";

/** A response that was larger than the limit. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

const UNREACHABLE =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_|ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|EPIPE|ETIMEDOUT|EADDRNOTAVAIL|EACCES|EPERM|UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKET|CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;
const TIMED_OUT = /^(?:UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/;
/** Characters of a provider's message that are logged. */
const MAX_DETAIL_LENGTH = 500;

export const MESSAGES = {
  cutOff: "The language model's answer was cut off.",
  tooLong: "The language model's answer was longer than LLM_MAX_OUTPUT_TOKENS allows and was cut off.",
  empty: "The language model returned an empty answer.",
  declined: "The language model declined to answer.",
  wrong: "The language model returned an invalid response.",
  unreachable: "The language model can't be reached. Check LLM_BASE_URL and the network.",
} as const;

/**
 * Converts an error of a provider's client into one with a message for users. The provider's own message is only in `cause`, shortened
 * and without `key`. `hasBegun`: part of the answer has arrived.
 */
export function toModelError(error: unknown, key: string, hasBegun: boolean): ModelError {
  if (error instanceof ModelError) return error;
  const [failure, message] = classify(error, hasBegun);
  const retryAfterSeconds = failure === "rate_limited" ? readRetryAfter(getHeaders(error)) : undefined;
  return new ModelError(failure, message, {
    cause: describeCause(error, key),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function classify(error: unknown, hasBegun: boolean): readonly [ModelFailure, string] {
  const shortage = findShortage(error);
  if (shortage !== null) return ["unreachable", describeShortage(shortage)];
  const status = getHttpStatus(error);
  // Google reports a wrong key with status 400.
  if (status === 400 && listBodies(error).some((body) => body.includes("API_KEY_INVALID"))) return classifyStatus(401);
  if (status !== undefined && (status < 200 || status > 299)) return classifyStatus(status);
  if (listCauses(error).some((link) => link instanceof TooLargeError)) return ["cut_off", MESSAGES.tooLong];
  const codes = listCauses(error).map(getCode);
  if (codes.some((code) => TIMED_OUT.test(code))) return ["timeout", "The language model did not answer in time."];
  // undici's message for a connection that ended within a body.
  if (listCauses(error).some(({ message }) => /^terminated$/i.test(message))) return ["cut_off", MESSAGES.cutOff];
  if (codes.some((code) => UNREACHABLE.test(code))) return hasBegun ? ["cut_off", MESSAGES.cutOff] : ["unreachable", MESSAGES.unreachable];
  return ["wrong_answer", MESSAGES.wrong];
}

function classifyStatus(status: number): readonly [ModelFailure, string] {
  if (status === 401 || status === 403) return ["refused", "The language model refused the key. Check LLM_API_KEY."];
  if (status === 402) return ["refused", "The language model's provider says that its account has no credit left."];
  if (status === 404) return ["refused", "The language model was not found. Check LLM_MODEL and LLM_BASE_URL."];
  if (status === 413) return ["refused", "The question with its sources is too large for the language model. Lower ASK_CONTEXT_TOKENS."];
  if (status === 429) return ["rate_limited", "The language model's provider has reached its rate limit. Try again later."];
  if (status === 408 || status === 504) return ["timeout", "The language model did not answer in time."];
  if (status >= 500) return ["unreachable", "The language model is unavailable. Try again later."];
  if (status >= 300 && status <= 399)
    return ["refused", "The language model's address redirects elsewhere, which is not followed. Set LLM_BASE_URL to its final address."];
  return [
    "refused",
    `The language model rejected the request (status ${status}). Check LLM_MODEL, and that ASK_CONTEXT_TOKENS and LLM_MAX_OUTPUT_TOKENS fit it.`,
  ];
}

/** Whether a retry may succeed: the failure is the provider's, not the request's. */
export const isTransient = ({ failure }: ModelError): boolean =>
  failure === "unreachable" || failure === "rate_limited" || failure === "cut_off";

/** Returns the HTTP status of an error of a provider's client. */
export function getHttpStatus(error: unknown): number | undefined {
  for (const link of listCauses(error)) if ("statusCode" in link && typeof link.statusCode === "number") return link.statusCode;
  return undefined;
}

const listBodies = (error: unknown): string[] =>
  listCauses(error).flatMap((link) => ("responseBody" in link && typeof link.responseBody === "string" ? [link.responseBody] : []));

function getHeaders(error: unknown): Readonly<Record<string, unknown>> {
  for (const link of listCauses(error)) {
    if ("responseHeaders" in link && typeof link.responseHeaders === "object" && link.responseHeaders !== null)
      return link.responseHeaders as Readonly<Record<string, unknown>>;
  }
  return {};
}

/** Returns the seconds of a Retry-After header (RFC 9110, section 10.2.3) in either form, at most a day. */
function readRetryAfter(headers: Readonly<Record<string, unknown>>): number | undefined {
  const text = headers["retry-after"];
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const seconds = /^\s*\d{1,9}(?:\.\d+)?\s*$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(0, Math.ceil(seconds))) : undefined;
}

/** Returns the error and its causes, at most six. */
function listCauses(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let link = error; link instanceof Error && chain.length < 6; link = link.cause) chain.push(link);
  return chain;
}

const getCode = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "");

/** Creates an error for the log: the original contains the whole prompt, and may contain the key. */
function describeCause(error: unknown, key: string): Error {
  const shortage = findShortage(error);
  if (shortage !== null) return new ShortageError(shortage);
  const status = getHttpStatus(error);
  const parts = [status === undefined ? "" : `status ${status}`, ...listCauses(error).map(({ message }) => message), ...listBodies(error)];
  const text = parts.filter((part) => part !== "").join(": ") || String(error);
  return new Error(redact(text, key).slice(0, MAX_DETAIL_LENGTH));
}

/** Removes the key and anything that looks like one, because providers repeat parts of keys. */
const redact = (text: string, key: string): string =>
  (key === "" ? text : text.replaceAll(key, "[hidden]")).replaceAll(/\b(?:sk|pk|key|AIza|Bearer)[-_ ]?[\w*-]{6,}/g, "[hidden]");
