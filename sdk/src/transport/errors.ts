/** An error response. `message` comes from the server and can be shown to users. */
export class TesseraError extends Error {
  readonly status: number;
  /** The request id for the operator of the server; null if the response did not come from the server. */
  readonly requestId: string | null;
  /** Seconds after which to try again; null if the server gave none. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, requestId: string | null, retryAfterSeconds: number | null, options?: ErrorOptions) {
    super(message, options);
    this.name = "TesseraError";
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reads an error response. A body that is not from the server, such as the page of a proxy, is not used as the message. */
export async function errorOf(response: Response, now: number = Date.now()): Promise<TesseraError> {
  const text = await response.text().catch(() => "");
  return new TesseraError(
    response.status,
    messageIn(text) ?? `The service answered ${response.status}${response.statusText ? ` ${response.statusText}` : ""}.`,
    response.headers.get("x-request-id"),
    secondsIn(response.headers.get("retry-after"), now),
  );
}

function messageIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
    return typeof body.error === "string" ? body.error : undefined;
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
