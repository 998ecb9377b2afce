import type { FastifyReply, FastifyRequest } from "fastify";

/** The cookie that holds the session token. */
export type SessionCookie = {
  /** Returns the token of the request; undefined without one. */
  read(request: FastifyRequest): string | undefined;
  /** Sets the cookie for this many seconds. */
  set(reply: FastifyReply, token: string, seconds: number): void;
  clear(reply: FastifyReply): void;
};

const NAME = "tessera_session";

/** Returns the value of a cookie; undefined without one. */
export function readCookie({ headers: { cookie } }: FastifyRequest, name: string): string | undefined {
  if (cookie === undefined || !cookie.includes(name)) return undefined;
  for (const pair of cookie.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Creates the session cookie, which is always HttpOnly and SameSite=Lax. `isSecure`, for HTTPS and loopback addresses, adds `Secure` and the `__Host-` prefix
 * (RFC 6265bis, section 4.1.3), so that no other host and no plain HTTP page can set it. Browsers reject such cookies on plain HTTP elsewhere.
 */
export function createSessionCookie(isSecure: boolean): SessionCookie {
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read: (request) => readCookie(request, name),
    set: (reply, token, seconds) => void reply.header("Set-Cookie", `${name}=${token}; Max-Age=${seconds}; ${attributes}`),
    clear: (reply) => void reply.header("Set-Cookie", `${name}=; Max-Age=0; ${attributes}`),
  };
}
