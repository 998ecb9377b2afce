import { errorOf, TesseraError } from "./errors.ts";
import type { Versioned } from "../types.ts";

export type ClientOptions = {
  /** The service's base address, with or without a slash at its end; empty for a page that the service itself serves. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`; leave it out only where a session cookie signs the caller in. */
  readonly apiKey?: string;
  /** Replaces the platform's `fetch`: a proxy, a test, a retry. */
  readonly fetch?: typeof globalThis.fetch;
};

export type CallOptions = { readonly signal?: AbortSignal };
export type CreateOptions = CallOptions & { readonly idempotencyKey?: string };
export type UpdateOptions = CallOptions & {
  /** The `etag` of the version that was read; a newer one on the server makes the call a 412. */
  readonly ifMatch?: string | null;
};

type Value = string | number | boolean | null | undefined;

export type Call = CreateOptions &
  UpdateOptions & {
    readonly query?: Readonly<Record<string, Value>>;
    readonly body?: Readonly<Record<string, unknown>>;
    /** Sent as multipart/form-data, in place of a body. */
    readonly form?: FormData;
    readonly headers?: Readonly<Record<string, string>>;
  };

/** Sends one call and answers its JSON body; anything but a 2xx throws a `TesseraError`. */
export type Send = <T>(method: string, path: readonly string[], call?: Call) => Promise<Versioned<T>>;

/** Sends one call and answers what came back, unread; anything but a 2xx throws a `TesseraError`. */
export type Request = (method: string, path: readonly string[], call?: Call) => Promise<Response>;

export function createRequest(options: ClientOptions): Request {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);

  return async (method, path, call = {}) => {
    const response = await send(addressOf(options.baseUrl, path, call.query), {
      method,
      headers: headersOf(options.apiKey, call),
      // A redirect would carry the key to an address the caller never named.
      redirect: "error",
      ...(call.body && { body: JSON.stringify(call.body) }),
      ...(call.form && { body: call.form }),
      ...(call.signal && { signal: call.signal }),
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
}

export function createTransport(request: Request): Send {
  return async <T>(method: string, path: readonly string[], call: Call = {}) => {
    const response = await request(method, path, call);
    return { ...(await jsonOf<T>(response)), etag: response.headers.get("etag") };
  };
}

/** The whole address of a call; its path is given in parts that need no escaping. */
export const addressOf = (baseUrl: string, path: readonly string[], query?: Call["query"]): string =>
  `${baseUrl.replace(/\/+$/, "")}/${path.map(encodeURIComponent).join("/")}${queryOf(query)}`;

function headersOf(apiKey: string | undefined, call: Call): Record<string, string> {
  return {
    accept: "application/json",
    ...call.headers,
    ...(apiKey !== undefined && { "x-api-key": apiKey }),
    ...(call.body && { "content-type": "application/json" }),
    ...(call.idempotencyKey !== undefined && { "idempotency-key": call.idempotencyKey }),
    ...(call.ifMatch != null && { "if-match": call.ifMatch }),
  };
}

function queryOf(query: Call["query"] = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) pairs.set(name, String(value));
  }
  const text = pairs.toString();
  return text && `?${text}`;
}

/** The JSON object of a body; a `TesseraError` where it is none. */
export async function jsonOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body as T;
  } catch {
    // Falls through to the one refusal below.
  }
  const requestId = response.headers.get("x-request-id");
  throw new TesseraError(response.status, "The answer is not a JSON object: is baseUrl the service's address?", requestId, null);
}
