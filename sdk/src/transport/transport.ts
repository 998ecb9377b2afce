import { CREATIONS } from "../generated/creations.ts";
import type { Versioned } from "../types.ts";
import { type PlainInput, toFormData, buildUrl, withSnakeCaseNames } from "./encode.ts";
import { badResponse, throwConnectionError, toError } from "./errors.ts";
import type { Input, Operation, ResponseOf } from "./operation.ts";
import { type ClientOptions, requireBaseUrl, requireKey, requireLimits } from "./options.ts";
import { withRetries } from "./retry.ts";

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** Replaces the limit of the client for this call, in milliseconds. */
  readonly timeoutMs?: number;
  /** Replaces the number of the client for this call. */
  readonly maxRetries?: number;
};
/** Without a key, a creation gets a random one. Set it to repeat a call later, such as after a restart. */
export type CreateOptions = CallOptions & { readonly idempotencyKey?: string };
export type UpdateOptions = CallOptions & {
  /** The `etag` of the version that was read. If the server has a newer one, the call fails with 412. */
  readonly ifMatch?: string | null;
};

export type WaitOptions = CallOptions & {
  /** Seconds to wait for the end of the work, at most 60. */
  readonly wait?: number;
};

/** The default `limit` is 50, the maximum 500. `cursor` is the `nextCursor` of the previous page. */
export type PageOptions = CallOptions & { readonly limit?: number; readonly cursor?: string | null };

/** Separates how a call is made from what it asks for. */
export function splitOptions<T extends CallOptions>({ signal, timeoutMs, maxRetries, ...rest }: T) {
  const call: CallOptions = {
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxRetries !== undefined && { maxRetries }),
  };
  return { call, rest };
}

export type Call<O extends Operation> = CreateOptions & UpdateOptions & Input<O> & { readonly headers?: Readonly<Record<string, string>> };

/** Calls an operation and returns its JSON body. Throws a `TesseraError` for any status but 2xx. */
export type Send = <O extends Operation>(operation: O, call: Call<O>) => Promise<Versioned<ResponseOf<O>>>;

/** Calls an operation, and reads its response within the same attempt; a stream once, without a time limit. Throws a `TesseraError` for any status but 2xx. */
export type Request = <O extends Operation, T>(
  operation: O,
  call: Call<O>,
  read: (response: Response) => Promise<T>,
  isStream?: boolean,
) => Promise<T>;

type AnyCall = CreateOptions & UpdateOptions & PlainInput & { readonly headers?: Readonly<Record<string, string>> };

const TIMEOUT_MS = 120_000;
/** For uploads, and for what a language model writes. */
const LONG_TIMEOUT_MS = 900_000;
const SLOW_PATH = /\/ask$|^\/api\/v1\/(?:generate|idea)$/;
const DEFAULT_RETRIES = 5;

/** The calls of a client, and its base URL without a trailing slash. Throws a `RangeError` for options that make no sense. */
export function createTransport(options: ClientOptions): { readonly baseUrl: string; readonly request: Request; readonly send: Send } {
  const baseUrl = requireBaseUrl(options ?? {});
  requireKey(options);
  requireLimits(options);
  const request = createRequest(baseUrl, options);
  return {
    baseUrl,
    request,
    send: <O extends Operation>(operation: O, call: Call<O>) =>
      request(operation, call, async (response) => ({
        ...(await readJson<ResponseOf<O> & object>(response)),
        etag: response.headers.get("etag"),
      })),
  };
}

function createRequest(baseUrl: string, options: ClientOptions): Request {
  // The global one may be replaced later, such as by tests.
  const fetch: typeof globalThis.fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));

  return async (operation, input, read, isStream = false) => {
    requireLimits(input as CallOptions);
    const call = withIdempotencyKey(operation, input as object);
    const [method = "", path = ""] = operation.split(" ");
    const policy = {
      maxRetries: call.maxRetries ?? options.maxRetries ?? DEFAULT_RETRIES,
      timeoutMs: call.timeoutMs ?? options.timeoutMs ?? (call.form || SLOW_PATH.test(path) ? LONG_TIMEOUT_MS : TIMEOUT_MS),
      isRead: method === "GET",
      isRepeatable: method === "GET" || CREATIONS.has(operation),
      signal: call.signal,
    };
    // What can't be sent fails here, so that an error of an attempt is a failed connection.
    const url = buildUrl(baseUrl, path, call);
    const init: RequestInit = {
      method,
      headers: Object.fromEntries(new Headers(buildHeaders(options.apiKey, call))),
      // A redirect could send the key to another server. "error" is unknown to some worker runtimes.
      redirect: "manual",
      ...(call.body && { body: JSON.stringify(withSnakeCaseNames(call.body)) }),
      ...(call.form && { body: toFormData(call.form) }),
    };
    const open = async (signal: AbortSignal): Promise<Response> => {
      const response = await fetch(url, { ...init, signal });
      if (!response.ok) throw await toError(response);
      return response;
    };
    if (isStream) return withRetries(policy, (signal) => open(signal).catch(throwConnectionError), read);
    return withRetries(policy, (signal) => open(signal).then(read).catch(throwConnectionError));
  };
}

/** Every attempt of a creation has the same key, so it creates once. */
function withIdempotencyKey(operation: Operation, call: AnyCall): AnyCall {
  if (call.idempotencyKey !== undefined || !CREATIONS.has(operation)) return call;
  return { ...call, idempotencyKey: newIdempotencyKey() };
}

/** A random key that makes repeating a creation return the first result instead of creating twice. */
export function newIdempotencyKey(): string {
  // randomUUID is missing on pages that are not served over HTTPS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function buildHeaders(apiKey: string | undefined, call: AnyCall): Record<string, string> {
  return {
    accept: "application/json",
    ...call.headers,
    ...(apiKey !== undefined && { "x-api-key": apiKey }),
    ...(call.body && { "content-type": "application/json" }),
    ...(call.idempotencyKey !== undefined && { "idempotency-key": call.idempotencyKey }),
    // Proxies that compress a response make its ETag weak, and a weak one never matches.
    ...(call.ifMatch != null && { "if-match": call.ifMatch.replace(/^W\//, "") }),
  };
}

/** The JSON object in a response body. Throws a `TesseraError` if it is something else. */
export async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as T;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw badResponse(response, "The answer is not a JSON object: is baseUrl the service's address?");
}
