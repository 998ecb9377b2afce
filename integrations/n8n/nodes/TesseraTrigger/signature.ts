import { createHmac, timingSafeEqual } from "node:crypto";
import type { IDataObject } from "n8n-workflow";

/** How far the time of a delivery may be from this machine's clock. An older one is a copy. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether the secret signed this body, now. The headers are those of the Standard Webhooks specification: the signature covers
 * the id, the time in seconds and the exact bytes of the body. During a rotation there are several signatures.
 */
export function isGenuine(headers: IDataObject, rawBody: Buffer, secret: string, nowMs = Date.now()): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string") return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  return signatures.split(" ").some((entry) => entry.startsWith("v1,") && isEqual(expected, Buffer.from(entry.slice(3), "base64")));
}

const isEqual = (expected: Buffer, received: Buffer): boolean => expected.length === received.length && timingSafeEqual(expected, received);
