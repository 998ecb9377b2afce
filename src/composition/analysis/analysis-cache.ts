import { LRUCache } from "lru-cache";
import { measureAnalysis } from "#domain/answers/analysis.ts";
import type { AnalysedTile, TileVersion } from "#domain/answers/search.ts";

export type CacheLimits = { readonly maxBytes: number; /** Of one business. */ readonly maxBusinessBytes: number };

const OVERHEAD_BYTES = 512;

export const getVersionKey = ({ tileId, version }: TileVersion): string => `${tileId} ${version}`;

/** Keeps the analyses of tiles that are not indexed yet, for the next question. The least recently used ones are evicted first. */
export class AnalysisCache {
  readonly #limits: CacheLimits;
  readonly #bytes = new Map<string, number>();
  readonly #analyses: LRUCache<string, AnalysedTile>;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
    this.#analyses = new LRUCache({
      maxSize: limits.maxBytes,
      sizeCalculation: measure,
      dispose: (analysed) => this.#count(analysed, -measure(analysed)),
    });
  }

  /** The memory of all cached analyses, in bytes. */
  get bytes(): number {
    return this.#analyses.calculatedSize;
  }

  get(tile: TileVersion): AnalysedTile | undefined {
    return this.#analyses.get(getVersionKey(tile));
  }

  set(analysed: AnalysedTile): void {
    const bytes = measure(analysed);
    if (bytes > this.#limits.maxBusinessBytes) return;
    this.#analyses.delete(getVersionKey(analysed.tile));
    this.#makeRoom(analysed.tile.businessId, bytes);
    this.#count(analysed, bytes);
    this.#analyses.set(getVersionKey(analysed.tile), analysed);
  }

  #count({ tile: { businessId } }: AnalysedTile, bytes: number): void {
    const total = (this.#bytes.get(businessId) ?? 0) + bytes;
    if (total > 0) this.#bytes.set(businessId, total);
    else this.#bytes.delete(businessId);
  }

  /** Evicts the least recently used analyses of a business until it has room for this many bytes. */
  #makeRoom(businessId: string, bytes: number): void {
    for (const key of this.#analyses.rkeys()) {
      if ((this.#bytes.get(businessId) ?? 0) + bytes <= this.#limits.maxBusinessBytes) return;
      if (this.#analyses.peek(key)?.tile.businessId === businessId) this.#analyses.delete(key);
    }
  }
}

const measure = ({ parts }: AnalysedTile): number => parts.reduce((sum, part) => sum + measureAnalysis(part), OVERHEAD_BYTES);
