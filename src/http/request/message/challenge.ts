import type { ReceivedMessage } from "./read-message.ts";

/** Characters that mean nothing in any markup. Slack sends 52 of them. */
const CHALLENGE = /^[\w.~+/=-]{1,256}$/;

/** Returns the challenge by which Slack's Events API verifies an address before its first event; null for other messages. */
export function readChallenge(message: ReceivedMessage): string | null {
  if (message.kind !== "fields" || message.source !== "json" || typeof message.fields !== "object" || message.fields === null) return null;
  const { type, challenge } = message.fields as { readonly type?: unknown; readonly challenge?: unknown };
  return type === "url_verification" && typeof challenge === "string" && CHALLENGE.test(challenge) ? challenge : null;
}
