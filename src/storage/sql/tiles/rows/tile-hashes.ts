import { hash } from "node:crypto";
import { normaliseAddress } from "#domain/core/address.ts";
import type { Tile } from "#domain/content/tile.ts";

const digest = (kind: "external_id" | "address" | "text", value: string): string => hash("sha256", `${kind} ${value}`, "base64url");

/** Returns the hash by which deleted tiles are known by their external id. */
export const hashExternalId = (externalId: string): string => digest("external_id", externalId);

/** Returns the hash that the addresses of one page share, whatever their fragment, tracking parameters and order of parameters. */
export const hashAddress = (url: string): string => digest("address", URL.canParse(url) ? normaliseAddress(url) : url);

export const isSameAddress = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && (a === b || hashAddress(a) === hashAddress(b));

/** Returns the hash that only the same text has. */
export const hashText = (text: string): string => digest("text", text);

/** Returns the hash of the text that the tile was made of; null for links and uploads. */
export const hashSentText = ({ type, rawContent }: Pick<Tile, "type" | "rawContent">): string | null =>
  type === "TEXT" ? hashText(rawContent) : null;
