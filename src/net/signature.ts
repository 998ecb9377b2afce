import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/**
 * Returns the `X-Service-Signature` of a body: hexadecimal HMAC-SHA256 of its exact bytes (a string counts as UTF-8). The key is the
 * UTF-8 text of the displayed secret, including its prefix.
 */
export const signHex = (body: Uint8Array | string, secret: string): string =>
  createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest("hex");

/**
 * Returns one entry of `webhook-signature`: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. The key is the decoded base64
 * after `whsec_`. `timestampSeconds` is in whole seconds since 1970.
 * Source: the Standard Webhooks specification, symmetric signatures.
 */
export const signStandard = (id: string, timestampSeconds: number, body: Uint8Array | string, secret: string): string => {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const signature = createHmac("sha256", Buffer.from(encoded, "base64")).update(`${id}.${timestampSeconds}.`).update(body).digest("base64");
  return `v1,${signature}`;
};
