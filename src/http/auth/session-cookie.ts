import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie of this server. */
export type Cookie = {
  /** Returns the value in the request; undefined without one. */
  read(request: FastifyRequest): string | undefined;
  /** Sets the cookie for this many seconds. */
  set(reply: FastifyReply, value: string, seconds: number): void;
};

/** The cookie that holds the session token. */
export type SessionCookie = Cookie & { clear(reply: FastifyReply): void };

/**
 * Creates a cookie, which is always HttpOnly and SameSite=Lax. `isSecure`, for HTTPS and loopback addresses, adds `Secure` and the `__Host-` prefix
 * (RFC 6265bis, section 4.1.3), so that no other host and no plain HTTP page can set it. Browsers reject such cookies on plain HTTP elsewhere.
 */
export function createCookie(plainName: string, isSecure: boolean): Cookie {
  const name = isSecure ? `__Host-${plainName}` : plainName;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read({ headers: { cookie } }) {
      const pairs = cookie?.includes(name) === true ? cookie.split(";").map((pair) => pair.trim()) : [];
      return pairs
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .trim();
    },
    set: (reply, value, seconds) => void reply.header("Set-Cookie", `${name}=${value}; Max-Age=${seconds}; ${attributes}`),
  };
}

export function createSessionCookie(isSecure: boolean): SessionCookie {
  const cookie = createCookie("tessera_session", isSecure);
  return { ...cookie, clear: (reply) => cookie.set(reply, "", 0) };
}
