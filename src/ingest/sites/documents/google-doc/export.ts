import { IngestError } from "#domain/content/job.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import { type TextResponse, fetchText } from "../../../extract/fetch/request.ts";
import { captchaError, privateError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";

export const SERVICE = "Google Docs";
export const DOCS = "https://docs.google.com";
const MAX_BYTES = 8 * 1024 * 1024;

export type Export = {
  /** Such as "This document". */
  readonly what: string;
  readonly url: string | URL;
  readonly accept?: string;
  readonly maxBytes?: number;
  /** Whether the response should be a page, not a file. */
  readonly isPage?: boolean;
};

/** Not permanent: the owner may forbid downloads of a document that everyone can view, so other sources are tried. */
const downloadForbiddenError = (what: string): IngestError =>
  new IngestError("private", `${what} may not be read by everyone who has the link. Ask its owner to share it, or paste its text.`, {
    stage: "fetch",
  });

/** Recognises a login page, a human check or an error page that was sent instead of the file. */
function findRefusal({ url, text, resource }: TextResponse, request: Export): IngestError | null {
  if (url.hostname === "accounts.google.com" || /\/ServiceLogin|\/signin\//.test(url.pathname)) return privateError(request.what);
  if (/(?:^|\.)google\.com$/.test(url.hostname) && url.pathname.startsWith("/sorry/")) return captchaError("Google");
  const type = resource.headers["content-type"] ?? "";
  if (request.isPage === true || !/text\/html/i.test(type)) return null;
  if (/accounts\.google\.com\/(?:v3\/)?(?:ServiceLogin|signin)/i.test(text.slice(0, 50_000))) return privateError(request.what);
  return sourceChangedError(SERVICE);
}

/** Fetches an export. Throws `IngestError`; private and deleted documents are permanent errors. */
export async function fetchExport(context: ExtractContext, request: Export): Promise<TextResponse> {
  const response = await fetchText(context, {
    service: SERVICE,
    url: request.url,
    maxBytes: request.maxBytes ?? MAX_BYTES,
    ...(request.accept === undefined ? {} : { accept: request.accept }),
    acceptLanguage: "en",
    mapError: (status) => {
      if (status === 401) return privateError(request.what);
      if (status === 403) return downloadForbiddenError(request.what);
      return status === 404 || status === 410 ? notFoundError(request.what) : null;
    },
  });
  const refusal = findRefusal(response, request);
  if (refusal !== null) throw refusal;
  return response;
}

/** Returns null instead of throwing `not_found`, for exports that exist only for some documents. */
export async function nullIfNotFound<Value>(request: Promise<Value>): Promise<Value | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof IngestError && error.code === "not_found") return null;
    throw error;
  }
}

/** Parses the file name in `Content-Disposition` (RFC 6266; RFC 8187 beyond ASCII) and removes the extension of the export. */
export function parseExportName(header: string | undefined): string | null {
  if (header === undefined) return null;
  const extended = /filename\*\s*=\s*utf-8''([^;\s]{1,2000})/i.exec(header)?.[1];
  const toPlainText =
    /filename\s*=\s*"((?:[^"\\]|\\.){1,2000})"/i.exec(header)?.[1] ?? /filename\s*=\s*([^;"\s]{1,2000})/i.exec(header)?.[1];
  let name = toPlainText?.replace(/\\(.)/g, "$1") ?? null;
  if (extended !== undefined) {
    try {
      name = decodeURIComponent(extended);
    } catch {
      // A name with invalid escapes falls back to the plain one.
    }
  }
  return name?.replace(/\.(?:txt|md|csv|html?|docx|xlsx|pptx)$/i, "").trim() || null;
}
