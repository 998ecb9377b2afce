import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Received } from "./servers.ts";

/**
 * Verifies a signature as the specification describes it: X-Service-Signature is "the HMAC-SHA256 digest, in hexadecimal, of the
 * exact raw bytes of the request body, keyed with the webhook secret", compared in constant time.
 */
export function isSignedAsSpecified({ headers, body }: Pick<Received, "headers" | "body">, secret: string): boolean {
  const given = headers["x-service-signature"];
  if (typeof given !== "string" || !/^[0-9a-f]{64}$/i.test(given)) return false;
  const digest = createHmac("sha256", secret).update(body).digest();
  return timingSafeEqual(digest, Buffer.from(given, "hex"));
}

/** Verifies a signature with the Standard Webhooks package. */
export function isSignedByStandard({ headers, body }: Pick<Received, "headers" | "body">, secret: string): boolean {
  try {
    new Webhook(secret).verify(body.toString("utf8"), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
