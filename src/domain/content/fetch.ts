/** One request to the outside world, made through the guard. */
export type FetchRequest = {
  readonly url: string;
  readonly accept?: string;
  readonly acceptLanguage?: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Most bytes of the decoded body; what is beyond is cut and `truncated` says so. */
  readonly maxBytes: number;
  /** Ends the whole request, redirects and body included. */
  readonly signal: AbortSignal;
};

export type FetchedResource = {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
};

/**
 * The one way out to the network. Throws `IngestError` (stage `fetch`) for an address that is refused, a name that
 * is not found, a connection that fails, a time-out or too many redirects; an HTTP error status is an answer.
 */
export interface Fetcher {
  fetch(request: FetchRequest): Promise<FetchedResource>;
}

/** Why an address may not be used; the words the interface promises follow the field's name. */
export type AddressRefusal = "scheme" | "credentials" | "too_long" | "inside";
