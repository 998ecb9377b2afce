import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";

/** Throws a 403 for a call that a page of another site may have made with this browser's cookie. */
export type CsrfGuard = (request: FastifyRequest, isForm: boolean) => void;

const SAFE = ["GET", "HEAD"];
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Judges by what browsers tell of the page a call comes from: `Sec-Fetch-Site` (Fetch Metadata) and, for what changes something,
 * `Origin`, which has to be of the address that was called or of `baseUrl`; and by the media type, since forms of any site can send text.
 */
export function createCsrfGuard(baseUrl: string): CsrfGuard {
  const base = URL.parse(baseUrl);
  const isOwn = (origin: string, host: string | undefined): boolean => {
    const page = URL.parse(origin);
    if (page === null || !/^https?:$/.test(page.protocol)) return false;
    if (base !== null && page.origin === base.origin) return true;
    return page.host === host && (base?.protocol !== "https:" || page.protocol === "https:");
  };
  return ({ method, headers }, isForm) => {
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none") throw foreign();
    if (SAFE.includes(method)) return;
    if (headers.origin !== undefined && !isOwn(headers.origin, headers.host)) throw foreign();
    const type = headers["content-type"];
    if (type === undefined || JSON_TYPE.test(type) || (isForm && /^multipart\/form-data/i.test(type))) return;
    throw new AppError("forbidden", "With a session, bodies are sent as application/json.");
  };
}

const foreign = (): AppError =>
  new AppError(
    "forbidden",
    "This call came from a page of another site, and was refused. Open this server's own address, which BASE_URL names.",
  );
