import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { spellEmail } from "#domain/settings/member.ts";
import { readCookie } from "./session-cookie.ts";

/**
 * Remembers in a browser that it has logged in to an account, so that attempts by others can't keep its owner out. It lets nobody in;
 * it only gives the browser a count of failed log-ins of its own.
 */
export type DeviceCookie = {
  /** The name of this browser, where it has logged in to the account before; null otherwise. */
  read(request: FastifyRequest, email: string): string | null;
  /** Has the browser remember the account; one that does already keeps its name. */
  set(request: FastifyRequest, reply: FastifyReply, email: string): void;
};

const NAME = "tessera_device";
const LIFE_SECONDS = 365 * 86_400;
const ID_BYTES = 16;
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

/** `secretKey` signs the cookie's value; `isSecure` as for the session's cookie. */
export function createDeviceCookie(secretKey: string, isSecure: boolean): DeviceCookie {
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const tagOf = (id: string, email: string): Buffer =>
    createHmac("sha256", secretKey)
      .update(`device\n${id}\n${spellEmail(email)}`)
      .digest();

  function read(request: FastifyRequest, email: string): string | null {
    const [, id, tag] = VALUE.exec(readCookie(request, name) ?? "") ?? [];
    if (id === undefined || tag === undefined) return null;
    const given = Buffer.from(tag, "base64url");
    const expected = tagOf(id, email);
    return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
  }

  return {
    read,
    set(request, reply, email) {
      const id = read(request, email) ?? randomBytes(ID_BYTES).toString("base64url");
      const value = `${id}.${tagOf(id, email).toString("base64url")}`;
      void reply.header("Set-Cookie", `${name}=${value}; Max-Age=${LIFE_SECONDS}; ${attributes}`);
    },
  };
}
