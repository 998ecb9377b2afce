import type { TileMetadata } from "#domain/content/tile.ts";
import { normaliseTitle } from "../../clean/text.ts";

const MAX_ADDRESS_LENGTH = 4_096;
const ADDRESSES: ReadonlySet<string> = new Set(["authorUrl", "thumbnailUrl", "canonicalUrl"]);

const isAddress = (value: string): boolean => value.length <= MAX_ADDRESS_LENGTH && /^https?:$/.test(URL.parse(value)?.protocol ?? "");

/** Removes invalid metadata: URLs must be http or https, text becomes one line of bounded length, numbers must be finite. */
export function sanitiseMetadata(metadata: TileMetadata): TileMetadata {
  const entries = Object.entries(metadata).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (typeof value === "string") {
      if (ADDRESSES.has(name)) return isAddress(value) ? [[name, value]] : [];
      const line = normaliseTitle(value);
      return line === null ? [] : [[name, line]];
    }
    if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? [[name, value]] : [];
    return value === null || value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as TileMetadata;
}
