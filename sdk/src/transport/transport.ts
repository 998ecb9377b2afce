import type { Versioned } from "../types.ts";
import { type PlainInput, toFormData, urlOf, withSnakeCaseNames } from "./encode.ts";
import { errorOf, TesseraError } from "./errors.ts";
import type { Input, Operation, ResponseOf } from "./operation.ts";

export type ClientOptions = {
  /** The base URL of the server, with or without a trailing slash. Empty for pages that the server itself serves. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`. Leave it out only if a session cookie authenticates the caller. */
  readonly apiKey?: string;
  /** Replaces the global `fetch`, for proxies, tests and retries. */
  readonly fetch?: typeof globalThis.fetch;
};

export type CallOptions = { readonly signal?: AbortSignal };
export type CreateOptions = CallOptions & { readonly idempotencyKey?: string };
export type UpdateOptions = CallOptions & {
  /** The `etag` of the version that was read. If the server has a newer one, the call fails with 412. */
  readonly ifMatch?: string | null;
};

/** The default `limit` is 50, the maximum 500. `cursor` is the `nextCursor` of the previous page. */
export type PageOptions = CallOptions & { readonly limit?: number; readonly cursor?: string | null };

export type Call<O extends Operation> = CreateOptions & UpdateOptions & Input<O> & { readonly headers?: Readonly<Record<string, string>> };

/** Calls an operation and returns its JSON body. Throws a `TesseraError` for any status but 2xx. */
export type Send = <O extends Operation>(operation: O, call: Call<O>) => Promise<Versioned<ResponseOf<O>>>;

/** Calls an operation and returns the unread response. Throws a `TesseraError` for any status but 2xx. */
export type Request = <O extends Operation>(operation: O, call: Call<O>) => Promise<Response>;

type AnyCall = CreateOptions & UpdateOptions & PlainInput & { readonly headers?: Readonly<Record<string, string>> };

export function createRequest(options: ClientOptions): Request {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);

  return async (operation, input) => {
    const call: AnyCall = input as object;
    const [method = "", path = ""] = operation.split(" ");
    const response = await send(urlOf(options.baseUrl, path, call), {
      method,
      headers: headersOf(options.apiKey, call),
      // A redirect could send the key to another server.
      redirect: "error",
      ...(call.body && { body: JSON.stringify(withSnakeCaseNames(call.body)) }),
      ...(call.form && { body: toFormData(call.form) }),
      ...(call.signal && { signal: call.signal }),
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
}

export function createTransport(request: Request): Send {
  return async <O extends Operation>(operation: O, call: Call<O>) => {
    const response = await request(operation, call);
    return { ...(await readJson<ResponseOf<O> & object>(response)), etag: response.headers.get("etag") };
  };
}

function headersOf(apiKey: string | undefined, call: AnyCall): Record<string, string> {
  return {
    accept: "application/json",
    ...call.headers,
    ...(apiKey !== undefined && { "x-api-key": apiKey }),
    ...(call.body && { "content-type": "application/json" }),
    ...(call.idempotencyKey !== undefined && { "idempotency-key": call.idempotencyKey }),
    ...(call.ifMatch != null && { "if-match": call.ifMatch }),
  };
}

/** The JSON object in a response body. Throws a `TesseraError` if it is something else. */
export async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body as T;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  const requestId = response.headers.get("x-request-id");
  throw new TesseraError(response.status, "The answer is not a JSON object: is baseUrl the service's address?", requestId, null);
}
