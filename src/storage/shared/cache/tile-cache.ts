import type { TileSummary } from "#domain/content/tile.ts";
import type { TileQuery } from "#domain/content/tile-store.ts";

/** Maximum size of the cache, and the estimated size of a tile besides its texts, in characters. */
const MAX_CHARACTERS = 4 * 1_048_576;
const ROW_CHARACTERS = 300;
const METADATA_CHARACTERS = 1_000;
/** The estimated size of a tag besides its text. */
const TAG_CHARACTERS = 20;

/** The parts of a tile that a listing requests. */
export type TileParts = Pick<TileQuery, "withText" | "withMetadata">;

type Entry = { readonly version: number; readonly tile: TileSummary; readonly characters: number };

/**
 * Tuning: caches listed tiles. After a change to a board of 50 tiles, listing them takes 185 µs instead of 340 (decision 6). Every visible
 * change raises the tile's version, so a listing reads the versions and takes unchanged tiles from the cache. It is a plain map because
 * a listing looks up every row: 0.06 µs each, compared with 0.15 µs in lru-cache.
 */
export class TileCache {
  readonly #entries = new Map<string, Entry>();
  #characters = 0;

  get(id: string, version: number, parts: TileParts): TileSummary | undefined {
    const entry = this.#entries.get(toCacheKey(id, parts));
    return entry?.version === version ? entry.tile : undefined;
  }

  set(id: string, version: number, parts: TileParts, tile: TileSummary): void {
    const key = toCacheKey(id, parts);
    this.#drop(key);
    const warnings = (tile.warnings ?? []).reduce((sum, { message }) => sum + message.length, 0);
    const metadata = parts.withMetadata === true ? METADATA_CHARACTERS + warnings : 0;
    const tags = tile.tags.reduce((sum, tag) => sum + TAG_CHARACTERS + tag.length, 0);
    const characters = ROW_CHARACTERS + tile.title.length + tile.extractedText.length + tags + metadata;
    this.#entries.set(key, { version, tile, characters });
    this.#characters += characters;
    if (this.#characters <= MAX_CHARACTERS) return;
    // A map keeps insertion order, so the first key is the oldest.
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#characters -= this.#entries.get(key)?.characters ?? 0;
    this.#entries.delete(key);
  }
}

const toCacheKey = (id: string, { withText, withMetadata }: TileParts): string =>
  withMetadata === true ? `${id} ${withText ? "+" : "="}` : withText ? id : `${id} -`;
