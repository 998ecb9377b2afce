import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#domain/core/errors/error.ts";
import type { SignatureForm } from "#domain/settings/inbound-address.ts";

const ALGORITHM = { name: "HMAC", hash: "SHA-256" } as const;
const DIGEST_BYTES = 32;
const SHAPES = { hex: /^[\da-f]{64}$/i, base64: /^[\w+/-]{43}=?$/ } as const;

/**
 * Throws 401 unless the header has the HMAC-SHA256 of the body. Computed outside the main thread, since a body may be long, and compared
 * in constant time.
 */
export async function requireSignature(secret: string, form: SignatureForm, headers: IncomingHttpHeaders, body: Uint8Array): Promise<void> {
  const value = headers[form.header];
  if (typeof value !== "string") throw invalidSignature(`The header ${form.header} with the signature is missing.`);
  const signature = readSignature(form, value);
  const key = await crypto.subtle.importKey("raw", Buffer.from(secret), ALGORITHM, false, ["verify"]);
  const isValid = signature !== null && (await crypto.subtle.verify(ALGORITHM, key, signature, body as Uint8Array<ArrayBuffer>));
  if (!isValid) throw invalidSignature(`The signature in the header ${form.header} does not match the body.`);
}

/** Returns the bytes of a signature, or null for a text that is none. */
function readSignature({ encoding, prefix }: SignatureForm, value: string): Uint8Array<ArrayBuffer> | null {
  const text = value.trim();
  if (!text.startsWith(prefix)) return null;
  const digest = text.slice(prefix.length);
  return SHAPES[encoding].test(digest) ? Uint8Array.from(Buffer.from(digest, encoding)).subarray(0, DIGEST_BYTES) : null;
}

const invalidSignature = (message: string): AppError => new AppError("signature_invalid", message);
