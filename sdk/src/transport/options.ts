export type ClientOptions = {
  /** The address of the server, with or without a trailing slash. Empty for pages that the server itself serves. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`. Leave it out only if a session cookie authenticates the caller. */
  readonly apiKey?: string;
  /** Replaces the global `fetch`, for proxies and tests. What it throws becomes a `ConnectionError`, except `AbortError` and `TimeoutError`. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * How often a call is repeated. Default: 2. After 429, every call is; after 503 and failed connections, only calls that can't do
   * something twice: reads, and creations, which have an idempotency key; after 502 and 504, only reads.
   */
  readonly maxRetries?: number;
  /** The time limit of a call with its repeats, in milliseconds. Default: 2 minutes; 15 for uploads, questions and generations. It does not limit how long a stream is read. */
  readonly timeoutMs?: number;
};

const EXAMPLE = "the server's address, such as https://boards.example.com";

/**
 * Returns the base URL without a trailing slash. Throws a `RangeError` for what no request can be sent to. The value is not quoted: it may
 * have a password, or be the API key.
 */
export function requireBaseUrl({ baseUrl, fetch }: ClientOptions): string {
  if (typeof baseUrl !== "string") throw new RangeError(`baseUrl is missing: ${EXAMPLE}.`);
  if (baseUrl === "") {
    if (fetch === undefined && Reflect.get(globalThis, "location") === undefined)
      throw new RangeError(`baseUrl is empty, which works only on pages that the server itself serves. Pass ${EXAMPLE}.`);
    return "";
  }
  const url = parseUrl(baseUrl);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") throw new RangeError(`baseUrl must be ${EXAMPLE}.`);
  if (url.username !== "" || url.password !== "")
    throw new RangeError("baseUrl must not have a user name or password. Pass the API key as apiKey.");
  if (url.search !== "" || url.hash !== "") throw new RangeError('baseUrl must end before "?" and "#".');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Throws a `RangeError` for a key that can't be sent. The errors of `fetch` would quote it. */
export function requireKey({ apiKey }: ClientOptions): void {
  if (apiKey !== undefined && !/^[ -~]*$/.test(apiKey.trim()))
    throw new RangeError("apiKey must be one line of ASCII characters: is it an API key?");
}

/** Throws a `RangeError` for limits that make no sense. */
export function requireLimits({ maxRetries = 0, timeoutMs = 1 }: Pick<ClientOptions, "maxRetries" | "timeoutMs">): void {
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new RangeError("maxRetries must be a whole number from 0.");
  if (!(timeoutMs > 0 && timeoutMs <= 2_147_483_647)) throw new RangeError("timeoutMs must be from 1 to 2147483647 (24 days).");
}

/** Throws a `TypeError` for what is not a file, such as a path: `File` would send its text. */
export function requireFile(file: Blob): void {
  if (!(file instanceof Blob)) throw new TypeError("file must be a Blob or File, such as `await openAsBlob(path)` of node:fs returns.");
}
