/** An answer of the service that was not a success; `message` is the service's own and fit to show. */
export class TesseraError extends Error {
  readonly status: number;
  /** What to quote to whoever runs the service; null when the answer did not come from it. */
  readonly requestId: string | null;
  /** Seconds after which the same call may succeed; null when the service named none. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, requestId: string | null, retryAfterSeconds: number | null, options?: ErrorOptions) {
    super(message, options);
    this.name = "TesseraError";
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reads a refused answer into a `TesseraError`; a body that is not the service's (a proxy's page) is not shown. */
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
