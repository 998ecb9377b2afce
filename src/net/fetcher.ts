import type { Dispatcher } from "undici";
import type { FetchedResource, Fetcher, FetchRequest } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import { waitOrAbort } from "#runtime/wait.ts";
import { ACCEPT_ENCODING, EncodingError, readBody } from "./body.ts";
import { describeNetworkFailure, describeRefusal, describeTimeout, type Failure } from "./failure.ts";
import { createGuardedAgent, type GuardedAgent } from "./guard.ts";
import type { Resolve } from "./resolve.ts";
import type { HostThrottle } from "./host-throttle.ts";
import { TooSlowError, TRANSFER_LIMITS, type TransferLimits } from "./transfer-limits.ts";
import { type AllowList, isAllowed, getPort, readUrl, type Routes } from "./url.ts";

export type FetcherOptions = {
  readonly allow: AllowList;
  readonly routes: Routes;
  /** The User-Agent header, such as `Tessera/0.1 (+https://…)`. */
  readonly userAgent: string;
  readonly resolve?: Resolve | undefined;
  /** Limits the request rate per host. Hosts in `allow` belong to the operator and are not limited. */
  readonly throttle?: HostThrottle | undefined;
  /** Replaces some of `TRANSFER_LIMITS`. */
  readonly limits?: Partial<TransferLimits> | undefined;
  /** Connection timeout in milliseconds, 10,000 by default. */
  readonly connectTimeoutMs?: number | undefined;
};

const MAX_REDIRECTS = 5;

/** Generated URLs are longer than those that people enter. */
const MAX_URL_CHARACTERS = 16_384;

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers of the connection, or set by the fetcher, that callers can't override. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that are kept in a redirect to another origin. All others, such as API keys, are removed. */
const COMMON_HEADERS: ReadonlySet<string> = new Set(["user-agent", "accept", "accept-language", "content-type"]);

/** One request of a redirect chain. */
type Hop = {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/**
 * Creates the guarded HTTP client for links. The URL of each hop, and every address its name resolves to, must be public or
 * listed in `allow`. At most 5 redirects are followed. `routes` sends an origin's requests to another one with the
 * original `Host` header, and the result has the original URL. Slow transfers end by `TRANSFER_LIMITS`. Throws `IngestError`
 * (stage `fetch`) with the codes `address_refused`, `name_not_found`, `name_lookup_failed`, `connection_failed`, `tls_failed`, `timeout`,
 * `too_slow`, `too_many_redirects`, `bad_redirect`, `bad_encoding`, `bad_response`,
 * `bad_request` and `server_overloaded`. `close` destroys all connections.
 */
export const createFetcher = (options: FetcherOptions): Fetcher & { close(): Promise<void> } => {
  const agent = createGuardedAgent(options);
  return {
    fetch: (request) => follow(agent, options, request),
    close: () => agent.destroy(),
  };
};

const follow = async (agent: GuardedAgent, options: FetcherOptions, request: FetchRequest): Promise<FetchedResource> => {
  const limits = { ...TRANSFER_LIMITS, ...options.limits };
  let hop = firstHop(request, options);
  let waitedMs = 0;
  for (let redirects = 0; ; redirects += 1) {
    try {
      if (options.throttle !== undefined && !isAllowed(hop.url.hostname, getPort(hop.url), options.allow))
        await options.throttle(hop.url.hostname, request.owner ?? "", request.signal);
      const sentAt = performance.now();
      const response = await sendInTime(agent, options, hop, limits.headersMs - waitedMs, request.signal);
      waitedMs += performance.now() - sentAt;
      const location = readLocation(response);
      if (location === null) return await readResponse(response, hop.url, request, limits);
      discard(response);
      if (redirects === MAX_REDIRECTS) throw failed(tooManyRedirects(hop.url.hostname));
      hop = nextHop(hop, response.statusCode, location, options.allow);
    } catch (error: unknown) {
      throw toIngestError(error, hop.url.hostname, request.signal);
    }
  }
};

/** Sends a request, and throws if the headers of its response do not arrive in time. */
const sendInTime = async (
  agent: GuardedAgent,
  options: FetcherOptions,
  hop: Hop,
  leftMs: number,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(failed(describeLateAnswer(hop.url.hostname))), Math.max(1, leftMs));
  const either = AbortSignal.any([signal, late.signal]);
  try {
    return await orAborted(send(agent, options, hop, either), either);
  } finally {
    clearTimeout(timer);
  }
};

const firstHop = (request: FetchRequest, options: FetcherOptions): Hop => {
  const headers: Record<string, string> = { "user-agent": options.userAgent, accept: request.accept ?? "*/*" };
  if (request.acceptLanguage !== undefined) headers["accept-language"] = request.acceptLanguage;
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!RESERVED_HEADERS.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  return {
    url: readAddress(request.url, options.allow, "address_refused"),
    method: request.method ?? "GET",
    headers,
    body: request.body ?? null,
  };
};

/** Returns the next hop as browsers do: POST becomes GET on 301, 302 and 303, and custom headers are removed for another origin. */
const nextHop = (hop: Hop, status: number, location: string, allow: AllowList): Hop => {
  if (!URL.canParse(location, hop.url.href)) throw failed(badRedirect(hop.url.hostname));
  const target = new URL(location, hop.url);
  if (target.hash === "") target.hash = hop.url.hash;
  const url = readAddress(target.href, allow, "bad_redirect");
  const headers = { ...hop.headers };
  if (url.origin !== hop.url.origin) for (const name of Object.keys(headers)) if (!COMMON_HEADERS.has(name)) delete headers[name];
  if (hop.method === "GET" || status === 307 || status === 308) return { ...hop, url, headers };
  for (const name of Object.keys(headers)) if (name.startsWith("content-")) delete headers[name];
  return { url, method: "GET", headers, body: null };
};

/** Parses a URL by the rules for links. `invalidCode` is the error code for an invalid one. */
const readAddress = (text: string, allow: AllowList, invalidCode: "address_refused" | "bad_redirect"): URL => {
  const read = readUrl(text, allow, MAX_URL_CHARACTERS);
  if (read.ok) return read.url;
  const { message } = describeRefusal(read, invalidCode === "bad_redirect" ? "The address it redirects to" : "The address", "FETCH_ALLOW");
  throw failed({ code: read.refusal === "inside" ? "address_refused" : invalidCode, message, retryable: false });
};

const send = (agent: GuardedAgent, options: FetcherOptions, hop: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
  const route = options.routes.get(hop.url.origin);
  // A route's target is set by the operator, but private targets must be allowed as well.
  if (route !== undefined) readAddress(route, options.allow, "address_refused");
  return agent.request({
    origin: route ?? hop.url.origin,
    path: hop.url.pathname + hop.url.search,
    method: hop.method,
    headers: { ...hop.headers, "accept-encoding": ACCEPT_ENCODING, host: hop.url.host },
    body: hop.body,
    signal,
  });
};

/** Rejects with the signal's reason even during a DNS lookup, which undici does not abort. Discards a response that arrives later. */
const orAborted = async (work: Promise<Dispatcher.ResponseData>, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
  try {
    return await waitOrAbort(work, signal);
  } catch (error: unknown) {
    work.then(discard, () => {});
    throw error;
  }
};

const readResponse = async (
  response: Dispatcher.ResponseData,
  url: URL,
  request: FetchRequest,
  limits: TransferLimits,
): Promise<FetchedResource> => {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name.toLowerCase()] = typeof value === "string" ? value : value.join(", ");
  }
  const read = await readBody(response.body, headers["content-encoding"] ?? "", request.maxBytes, limits, request.signal);
  return { url: url.href, status: response.statusCode, headers, body: read.body, truncated: read.truncated };
};

/** Returns the Location of a redirect. Non-ASCII header bytes are decoded as UTF-8, as browsers do. */
const readLocation = (response: Dispatcher.ResponseData): string | null => {
  if (!REDIRECT_STATUSES.has(response.statusCode)) return null;
  const { location } = response.headers;
  const text = typeof location === "string" ? location : location?.[0];
  return text === undefined ? null : Buffer.from(text, "latin1").toString("utf8");
};

const discard = (response: Dispatcher.ResponseData): void => {
  response.body.on("error", () => {}).destroy();
};

const toIngestError = (error: unknown, host: string, signal: AbortSignal): IngestError => {
  if (error instanceof IngestError) return error;
  if (signal.aborted) return signal.reason instanceof IngestError ? signal.reason : failed(describeTimeout(host), error);
  if (error instanceof TooSlowError) return failed(describeSlowBody(host), error);
  if (error instanceof EncodingError) {
    return failed(
      { code: "bad_encoding", message: `${host} sent a body that does not decode as ${error.coding}.`, retryable: false },
      error,
    );
  }
  return failed(describeNetworkFailure(error, host, "FETCH_ALLOW"), error);
};

const failed = (failure: Failure, cause?: unknown): IngestError =>
  new IngestError(failure.code, failure.message, { stage: "fetch", retryable: failure.retryable, cause });

const describeLateAnswer = (host: string): Failure => ({
  code: "timeout",
  message: `${host} did not begin to answer in time. Try again later, or paste the text you need.`,
  retryable: true,
});

const describeSlowBody = (host: string): Failure => ({
  code: "too_slow",
  message: `${host} sends less than 1 KiB a second. Try again later, or paste the text you need.`,
  retryable: true,
});

const tooManyRedirects = (host: string): Failure => ({
  code: "too_many_redirects",
  message: `${host} redirects more than ${MAX_REDIRECTS} times.`,
  retryable: false,
});

const badRedirect = (host: string): Failure => ({
  code: "bad_redirect",
  message: `${host} redirects to an address that can't be read.`,
  retryable: false,
});
