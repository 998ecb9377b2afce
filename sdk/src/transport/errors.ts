export type TesseraErrorOptions = ErrorOptions & { readonly code?: string | null };

/** A call that failed. For an error response, `message` comes from the server and can be shown to users. */
export class TesseraError extends Error {
  override readonly name: string = "TesseraError";
  /** The status of the response; 0 if there is none, or if a browser hides it. */
  readonly status: number;
  /** What happened, as one word of a documented list; null if the response did not come from the server. */
  readonly code: string | null;
  /** The request id for the operator of the server; null if the response did not come from the server. */
  readonly requestId: string | null;
  /** Seconds after which to try again; null if the server gave none. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, requestId: string | null, retryAfterSeconds: number | null, options?: TesseraErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = options?.code ?? null;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 400: a field of the request is missing or invalid. The message starts with its name. */
export class InvalidRequestError extends TesseraError {
  override readonly name = "InvalidRequestError";
}

/** 401: the API key is missing, unknown, revoked or expired. */
export class AuthenticationError extends TesseraError {
  override readonly name = "AuthenticationError";
}

/** 402: the token budget of the key for this month is spent. */
export class BudgetSpentError extends TesseraError {
  override readonly name = "BudgetSpentError";
}

/** 403: the key has no permission for this call or this board. */
export class PermissionError extends TesseraError {
  override readonly name = "PermissionError";
}

/** 404: the resource does not exist, or belongs to somebody else. */
export class NotFoundError extends TesseraError {
  override readonly name = "NotFoundError";
}

/** 409: the request conflicts with the current state of the resource. */
export class ConflictError extends TesseraError {
  override readonly name = "ConflictError";
}

/** 410: changes after the cursor are not kept any more, or a backup was restored since. Read the listings again. */
export class CursorExpiredError extends TesseraError {
  override readonly name = "CursorExpiredError";
}

/** 412: the resource was changed since the version that `ifMatch` names. */
export class PreconditionFailedError extends TesseraError {
  override readonly name = "PreconditionFailedError";
}

/** 429: too many requests, also after the retries. */
export class RateLimitError extends TesseraError {
  override readonly name = "RateLimitError";
}

/** 5xx: the server or its language model is not available, also after the retries. */
export class ServerError extends TesseraError {
  override readonly name = "ServerError";
}

/** There was no response, or it broke off, also after the retries. `cause` is what `fetch` threw. */
export class ConnectionError extends TesseraError {
  override readonly name = "ConnectionError";

  constructor(cause: unknown) {
    const message = "The connection to the service failed. It may still have carried the call out. Check baseUrl and the network.";
    super(0, message, null, null, { cause });
  }
}

/** The call took longer than `timeoutMs`. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor(timeoutMs: number) {
    super(`The call was not answered within ${timeoutMs / 1_000} seconds. The server may still have carried it out.`);
  }
}

const CLASSES: Readonly<Record<number, typeof TesseraError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: BudgetSpentError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: CursorExpiredError,
  412: PreconditionFailedError,
  429: RateLimitError,
};

/** A response that is not what the API documents, such as that of another server. */
export const badResponse = ({ status, headers }: Response, message: string, options?: TesseraErrorOptions): TesseraError =>
  new TesseraError(status, message, headers.get("x-request-id"), null, options);

/** Throws what `fetch`, or reading its response, threw: unchanged if the call was aborted, or else as a `ConnectionError`. */
export function throwConnectionError(error: unknown): never {
  // Worker runtimes report failed connections as an Error, and others as a TypeError.
  const isKnown = error instanceof TesseraError || (error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name));
  throw isKnown ? error : new ConnectionError(error);
}

/** Reads an error response. A body that is not from the server, such as the page of a proxy, is not used as the message. */
export async function toError(response: Response, now: number = Date.now()): Promise<TesseraError> {
  // Browsers do not tell the status of a redirect.
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel();
    return new TesseraError(response.status, "The address redirects. Use the address of the service itself as baseUrl.", null, null);
  }
  const text = await response.text().catch(() => "");
  const Class = CLASSES[response.status] ?? (response.status >= 500 ? ServerError : TesseraError);
  return new Class(
    response.status,
    textIn(text, "error") ?? `The service answered ${response.status}${response.statusText ? ` ${response.statusText}` : ""}.`,
    response.headers.get("x-request-id"),
    secondsIn(response.headers.get("retry-after"), now),
    { code: response.headers.get("x-error-code") ?? textIn(text, "code") ?? null },
  );
}

/** A text of a JSON body. Browsers hide headers of other origins that do not name them, so the code may be there too. */
function textIn(text: string, name: "error" | "code"): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null) return undefined;
    const value = (body as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` is seconds or an HTTP date (RFC 9110, 10.2.3). */
function secondsIn(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
