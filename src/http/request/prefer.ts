import type { FastifyReply, FastifyRequest } from "fastify";

/** Whether the client prefers a response before the work is done (RFC 7240, section 4.1). */
export const prefersAsync = (request: FastifyRequest): boolean => listPreferences(request).some(([name]) => name === "respond-async");

/** Whether the client prefers an error to ignored fields (RFC 7240, section 4.4). The first `handling` counts. */
export const prefersStrict = (request: FastifyRequest): boolean =>
  request.headers.prefer !== undefined && listPreferences(request).find(([name]) => name === "handling")?.[1] === "strict";

/** Adds a preference to those that the response names as applied. */
export function applyPreference(reply: FastifyReply, preference: string): void {
  const applied = reply.getHeader("Preference-Applied");
  reply.header("Preference-Applied", applied === undefined ? preference : `${String(applied)}, ${preference}`);
}

/** Returns the preferences in lower case, as name and value. Their parameters are left out, since none is defined for these. */
const listPreferences = ({ headers: { prefer = "" } }: FastifyRequest): (readonly [name: string, value: string])[] =>
  String(prefer)
    .toLowerCase()
    .split(",")
    .map((preference) => {
      const [name = "", value = ""] = (preference.split(";", 1)[0] as string).split("=", 2);
      return [name.trim(), value.trim().replace(/^"(.*)"$/, "$1")];
    });
