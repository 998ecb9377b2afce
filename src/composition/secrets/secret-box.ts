import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { SecretBox } from "#domain/settings/webhook.ts";

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM. The context is authenticated, so a secret decrypts only for the business it was stored for. */
export function createSecretBox(secretKey: string): SecretBox {
  const key = createHash("sha256").update(`tessera secret box\n${secretKey}`).digest();
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(sealed, context) {
      const [version, data] = sealed.split(".");
      if (version !== VERSION || data === undefined) throw new Error("A stored secret has an unknown form.");
      const bytes = Buffer.from(data, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new Error(
          "A stored secret can't be opened with this SECRET_KEY. Start with the key it was stored under, or make a new secret with webhook rotate.",
          { cause },
        );
      }
    },
  };
}
