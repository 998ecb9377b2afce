import type { FetchedResource } from "#domain/content/fetch.ts";
import { decodeSafely } from "../../extract/fetch/urls.ts";

/** Removes path and control characters from a name. Returns null if nothing is left. */
function toPlainName(name: string | undefined): string | null {
  const last =
    (name ?? "")
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/[\u0000-\u001f\u007f]/g, "")
      .trim() ?? "";
  return last === "" ? null : last.slice(0, 300);
}

/**
 * Returns a file's name from `Content-Disposition` (RFC 6266; `filename*` of RFC 8187 takes precedence). Without that header it is the
 * last segment of the address, if that has an extension. Returns null if there is neither.
 */
export function getFileName(resource: FetchedResource): string | null {
  const header = (resource.headers["content-disposition"] ?? "").slice(0, 2_000);
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']{0,20}'([^;\s]+)/i.exec(header)?.[1];
  const quoted = /(?:^|;)\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, "$1");
  const unquoted = /(?:^|;)\s*filename\s*=\s*([^";\s]+)/i.exec(header)?.[1];
  // Headers are decoded as Latin-1, but most servers write UTF-8.
  const written = quoted ?? unquoted;
  const utf8 = written === undefined ? undefined : Buffer.from(written, "latin1").toString("utf8");
  const named = toPlainName(extended === undefined ? (utf8?.includes("\uFFFD") ? written : utf8) : decodeSafely(extended));
  if (named !== null) return named;
  const last = toPlainName(decodeSafely(URL.parse(resource.url)?.pathname.split("/").at(-1) ?? ""));
  return last !== null && /[^.]\.[a-z0-9]{2,8}$/i.test(last) ? last : null;
}
