/** An outbound HTTP request, made through the network guard. */
export type FetchRequest = {
  readonly url: string;
  readonly accept?: string;
  readonly acceptLanguage?: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum bytes of the decoded body. A longer body is cut, and `truncated` is set. */
  readonly maxBytes: number;
  /** Aborts the whole request, including redirects and body. */
  readonly signal: AbortSignal;
  /** The business for which the request is made. Businesses take turns at a host. */
  readonly owner?: string;
};

export type FetchedResource = {
  /** The final URL after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
};

/**
 * The only outbound HTTP client. Throws `IngestError` (stage `fetch`) for a refused address, an unknown host name, a failed connection,
 * a timeout or too many redirects. An HTTP error status is a normal result.
 */
export interface Fetcher {
  fetch(request: FetchRequest): Promise<FetchedResource>;
}

/** Why a URL is refused. */
export type UrlRejection = "scheme" | "credentials" | "too_long" | "inside";
