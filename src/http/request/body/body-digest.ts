import { hash } from "node:crypto";
import { writeCanonicalJson } from "./json.ts";
import { type Path, visitTexts } from "../stored-response.ts";

/** What idempotency needs of a body: whether it is the same as an earlier one, and its long texts, which a response may repeat. */
export type BodyDigest = {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** The path of the first occurrence of each long text. */
  readonly texts: ReadonlyMap<string, Path>;
};

declare module "fastify" {
  interface FastifyRequest {
    /** The digest of the body of a request with an Idempotency-Key. It is made where the body is parsed, when it is the caller's turn. */
    bodyDigest: BodyDigest | undefined;
  }
}

/** Returns the same hash for JSON that is the same after parsing. */
export function digestJson(value: unknown): BodyDigest {
  const texts = new Map<string, Path>();
  visitTexts(value, [], (text, path) => void (texts.has(text) || texts.set(text, path)));
  return { hash: hash("sha256", writeCanonicalJson(value), "hex"), texts };
}

/** Digests a body that is not JSON, such as a form, byte by byte. The texts of forms are stored with the response. */
export const digestBytes = (body: Buffer | string): BodyDigest => ({ hash: hash("sha256", body, "hex"), texts: new Map() });
