import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/**
 * The `X-Service-Signature` of a body: hexadecimal HMAC-SHA256 of its exact bytes (a string counts as UTF-8), keyed
 * with the displayed secret's own UTF-8 bytes, prefix included.
 */
export const signHex = (body: Uint8Array | string, secret: string): string =>
  createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest("hex");

/**
 * One entry of `webhook-signature`: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the bytes
 * that the base64 after `whsec_` stands for. `timestampSeconds` counts whole seconds since 1970.
 * Source: the Standard Webhooks specification, symmetric signatures.
 */
export const signStandard = (id: string, timestampSeconds: number, body: Uint8Array | string, secret: string): string => {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const signature = createHmac("sha256", Buffer.from(encoded, "base64")).update(`${id}.${timestampSeconds}.`).update(body).digest("base64");
  return `v1,${signature}`;
};
