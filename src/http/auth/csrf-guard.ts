import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";

/** Throws 403 for requests with a session cookie that a page of another site may have sent (cross-site request forgery). */
export type CsrfGuard = (request: FastifyRequest, isForm: boolean) => void;

const SAFE = ["GET", "HEAD"];
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Checks `Sec-Fetch-Site` (Fetch Metadata) and, for unsafe methods, `Origin`, which must be the called address or `baseUrl`. Also checks
 * the media type, since forms of any site can send text.
 */
export function createCsrfGuard(baseUrl: string): CsrfGuard {
  const base = URL.parse(baseUrl);
  const isSameOrigin = (origin: string, host: string | undefined): boolean => {
    const page = URL.parse(origin);
    if (page === null || !/^https?:$/.test(page.protocol)) return false;
    if (base !== null && page.origin === base.origin) return true;
    return page.host === host && (base?.protocol !== "https:" || page.protocol === "https:");
  };
  return ({ method, headers }, isForm) => {
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none") throw crossSiteError();
    if (SAFE.includes(method)) return;
    if (headers.origin !== undefined && !isSameOrigin(headers.origin, headers.host)) throw crossSiteError();
    const type = headers["content-type"];
    if (type === undefined || JSON_TYPE.test(type) || (isForm && /^multipart\/form-data/i.test(type))) return;
    throw new AppError("origin_not_allowed", "Requests with a session cookie must send their body as application/json.");
  };
}

const crossSiteError = (): AppError =>
  new AppError(
    "origin_not_allowed",
    "Requests from pages of other sites are rejected. Open the page at the address of this server, which BASE_URL sets.",
  );
