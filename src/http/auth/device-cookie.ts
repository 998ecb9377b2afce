import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { normaliseEmail } from "#domain/settings/member.ts";
import { createCookie } from "./session-cookie.ts";

/**
 * A cookie that says which accounts this browser has logged in to. Its failed log-ins are counted separately, so that attempts of
 * others can't lock the owner out. The cookie does not authenticate.
 */
export type DeviceCookie = {
  /** Returns the id of this browser if it has logged in to the account before, otherwise null. */
  read(request: FastifyRequest, email: string): string | null;
  /** Sets the cookie. A browser that already has one for the account keeps its id. */
  set(request: FastifyRequest, reply: FastifyReply, email: string): void;
};

const MAX_AGE_SECONDS = 365 * 86_400;
const ID_BYTES = 16;
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

/** Creates the cookie that identifies a browser. `secretKey` signs it; `isSecure` has the same meaning as for the session cookie. */
export function createDeviceCookie(secretKey: string, isSecure: boolean): DeviceCookie {
  const cookie = createCookie("tessera_device", isSecure);
  const computeTag = (id: string, email: string): Buffer =>
    createHmac("sha256", secretKey)
      .update(`device\n${id}\n${normaliseEmail(email)}`)
      .digest();

  function read(request: FastifyRequest, email: string): string | null {
    const [, id, tag] = VALUE.exec(cookie.read(request) ?? "") ?? [];
    if (id === undefined || tag === undefined) return null;
    const given = Buffer.from(tag, "base64url");
    const expected = computeTag(id, email);
    return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
  }

  return {
    read,
    set(request, reply, email) {
      const id = read(request, email) ?? randomBytes(ID_BYTES).toString("base64url");
      cookie.set(reply, `${id}.${computeTag(id, email).toString("base64url")}`, MAX_AGE_SECONDS);
    },
  };
}
