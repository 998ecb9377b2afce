import type { FetchedResource } from "#domain/content/fetch.ts";
import type { IngestError } from "#domain/content/job.ts";
import type { ExtractContext } from "../extractor.ts";
import { throwForStatus } from "./status.ts";
import { sourceChangedError } from "../sources/errors.ts";
import { findServiceInterstitial } from "./interstitials.ts";

export type FetchOptions = {
  /** The service's name, as users know it. */
  readonly service: string;
  readonly url: string | URL;
  readonly accept?: string;
  readonly acceptLanguage?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly maxBytes?: number;
  /** The service's own meaning of an error response; null applies the common meaning of the status. */
  readonly mapError?: (status: number, text: string, headers: FetchedResource["headers"]) => IngestError | null;
};

export type TextResponse = { readonly resource: FetchedResource; readonly text: string; readonly url: URL };

const MAX_BYTES = 4 * 1024 * 1024;

/** Returns the response that the previous extractor handed over, if it is for the same request. */
const getHandedOverResponse = ({ fetched }: ExtractContext, { url, method, headers }: FetchOptions): FetchedResource | undefined =>
  method === undefined && headers === undefined && fetched?.url === String(url) ? fetched : undefined;

/** Fetches text. Throws `IngestError` for an error status: what `mapError` returns, an interstitial, or the status itself. */
export async function fetchText(context: ExtractContext, options: FetchOptions): Promise<TextResponse> {
  const resource =
    getHandedOverResponse(context, options) ??
    (await context.fetcher.fetch({
      url: String(options.url),
      maxBytes: options.maxBytes ?? MAX_BYTES,
      signal: context.signal,
      ...(options.accept === undefined ? {} : { accept: options.accept }),
      ...(options.acceptLanguage === undefined ? {} : { acceptLanguage: options.acceptLanguage }),
      ...(options.headers === undefined ? {} : { headers: options.headers }),
      ...(options.method === undefined ? {} : { method: options.method }),
      ...(options.body === undefined ? {} : { body: options.body }),
    }));
  const { text } = context.decode(resource.body, resource.headers["content-type"]);
  if (resource.status >= 400) {
    const mapped = options.mapError?.(resource.status, text, resource.headers) ?? null;
    if (mapped !== null) throw mapped;
    if (resource.status === 403 || resource.status === 429 || resource.status === 503) {
      const interstitial = findServiceInterstitial(options.service, resource.url, text);
      if (interstitial !== null) throw interstitial;
    }
    throwForStatus(resource, context.now());
  }
  return { resource, text, url: new URL(resource.url) };
}

/** Fetches JSON. Throws `IngestError`: an error status, an interstitial, or `source_changed` where the response is not JSON. */
export async function fetchJson(context: ExtractContext, options: FetchOptions): Promise<unknown> {
  const { text, resource } = await fetchText(context, { accept: "application/json", ...options });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw findServiceInterstitial(options.service, resource.url, text) ?? sourceChangedError(options.service, error);
  }
}

/** Fetches a web page. Throws `IngestError` for an error status or an interstitial. */
export async function fetchPage(context: ExtractContext, options: FetchOptions): Promise<TextResponse> {
  const response = await fetchText(context, { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5", ...options });
  const interstitial = findServiceInterstitial(options.service, response.resource.url, response.text);
  if (interstitial !== null) throw interstitial;
  return response;
}
