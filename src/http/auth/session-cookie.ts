import type { FastifyReply, FastifyRequest } from "fastify";

/** Where a browser keeps its session's token. */
export type SessionCookie = {
  /** The token that came with the request; undefined without one. */
  read(request: FastifyRequest): string | undefined;
  /** Has the browser keep the token for so many seconds. */
  set(reply: FastifyReply, token: string, seconds: number): void;
  clear(reply: FastifyReply): void;
};

const NAME = "tessera_session";

/** The value of the cookie of this name; undefined without one. */
export function readCookie({ headers: { cookie } }: FastifyRequest, name: string): string | undefined {
  if (cookie === undefined || !cookie.includes(name)) return undefined;
  for (const pair of cookie.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * HttpOnly and SameSite=Lax always. `isSecure`, for https and for loopback addresses, adds `Secure` and the `__Host-` prefix (RFC 6265bis,
 * section 4.1.3), so that no other host and no plain http can set it; browsers would not keep such a cookie on plain http elsewhere.
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
