import type { PendingTile, SearchFilter, TileVersion, WaitingTile } from "#domain/answers/search.ts";
import type { Driver } from "../driver.ts";
import { all, type Unit } from "../unit.ts";
import { searchableTiles } from "./conditions.ts";
import { PENDING_TILES } from "./search-rows.ts";
import type { TileClaims } from "./tile-claims.ts";

/** Tiles listed in one statement. Most questions need one. */
const PAGE_SIZE = 500;
/** The minimum size of a tile, so that a question reads a limited number of them. */
const MIN_BYTES = 200;
/** Its characters are not read: both engines store the length of a text before it. */
const BYTES = "octet_length(t.extracted_text)";

/** More characters than any text has, and the greatest number of them that both engines accept. */
const WHOLE_TEXT = 2_147_483_647;

type Row = { readonly id: string; readonly version: number; readonly bytes: number };

/** Lists the tiles that are not in the search index yet. */
export class WaitingTiles {
  readonly #driver: Driver;
  readonly #claims: TileClaims;
  readonly #table: string;
  /** The business whose tiles were indexed last. */
  #lastBusiness = "";

  constructor(driver: Driver, claims: TileClaims) {
    const { useIndex } = driver.dialect;
    this.#driver = driver;
    this.#claims = claims;
    this.#table = `tile t${useIndex("tile_unindexed")}`;
  }

  /** Lists the newest tiles of a board for a question, without their texts. */
  listConnected(businessId: string, boardId: string, maxBytes: number, filter: SearchFilter = {}): Promise<WaitingTile[]> {
    return this.#driver.read(() => this.#listConnected(businessId, boardId, maxBytes, filter));
  }

  *#listConnected(businessId: string, boardId: string, maxBytes: number, filter: SearchFilter): Unit<WaitingTile[]> {
    const { sql, params } = searchableTiles(filter);
    const found: WaitingTile[] = [];
    let total = 0;
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = yield* all<Row & { readonly sequence: number }>(
        `SELECT t.id, t.version, t.sequence, ${BYTES} AS bytes FROM ${this.#table}
         WHERE t.is_indexed = FALSE AND t.business_id = @businessId AND t.board_id = @boardId AND t.sequence < @before AND ${sql}
         ORDER BY t.sequence DESC LIMIT ${PAGE_SIZE}`,
        { businessId, boardId, before, ...params },
      );
      for (const { id: tileId, version, bytes, sequence } of rows) {
        before = sequence;
        total += Math.max(bytes, MIN_BYTES);
        if (found.length > 0 && total > maxBytes) return found.reverse();
        found.push({ businessId, boardId, tileId, version, bytes });
      }
      if (rows.length < PAGE_SIZE) return found.reverse();
    }
  }

  /** Reads the beginnings of the texts of tiles of one business that have not changed. */
  async readTexts(tiles: readonly TileVersion[], maxCharacters: number): Promise<PendingTile[]> {
    const [first] = tiles;
    if (first === undefined) return [];
    const versions = new Map(tiles.map(({ tileId, version }) => [tileId, version]));
    const found = await this.#read(first.businessId, [...versions.keys()], maxCharacters);
    return found.filter(({ tileId, version }) => versions.get(tileId) === version);
  }

  async #read(businessId: string, ids: readonly string[], maxCharacters: number): Promise<PendingTile[]> {
    if (ids.length === 0) return [];
    const { isAnyOf } = this.#driver.dialect;
    const params = { businessId, ids, maxCharacters };
    const found = await this.#driver.read(() =>
      all<PendingTile>(
        `SELECT ${PENDING_TILES.columns},
           CASE WHEN ${BYTES} > @maxCharacters THEN substr(t.extracted_text, 1, @maxCharacters) ELSE t.extracted_text END AS text
         FROM tile t WHERE t.business_id = @businessId AND ${isAnyOf("t.id", "ids")} AND t.is_indexed = FALSE`,
        params,
      ),
    );
    const byId = new Map(found.map((tile) => [tile.tileId, tile]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Reads the tiles to index next. Each business gets an equal share, and the first place in turn. */
  async next(limit: number, maxBytes: number): Promise<PendingTile[]> {
    const businesses = await this.#listBusinesses(limit);
    this.#lastBusiness = businesses[0] ?? "";
    const tiles: PendingTile[] = [];
    for (const [at, businessId] of businesses.entries()) {
      const places = Math.ceil((limit - tiles.length) / (businesses.length - at));
      const wanted = await this.#listOldest(businessId, places, maxBytes / businesses.length);
      tiles.push(...(await this.#read(businessId, wanted, WHOLE_TEXT)));
    }
    return tiles;
  }

  /** Lists businesses with waiting tiles, from the one after the last. There is one index lookup per business, however many tiles wait. */
  async #listBusinesses(limit: number): Promise<string[]> {
    const listAfter = (after: string) =>
      this.#driver.read(() => {
        const first = (condition: string) =>
          `SELECT t.business_id FROM ${this.#table} WHERE t.is_indexed = FALSE AND t.business_id > ${condition} ORDER BY t.business_id LIMIT 1`;
        return all<{ business_id: string }>(
          `WITH RECURSIVE waiting AS (
             SELECT (${first("@after")}) AS business_id
             UNION ALL
             SELECT (${first("w.business_id")}) FROM waiting w WHERE w.business_id IS NOT NULL)
           SELECT business_id FROM waiting WHERE business_id IS NOT NULL LIMIT @limit`,
          { after, limit },
        );
      });
    const after = await listAfter(this.#lastBusiness);
    const found = after.length >= limit || this.#lastBusiness === "" ? after : [...after, ...(await listAfter(""))];
    return [...new Set(found.map(({ business_id }) => business_id))].slice(0, limit);
  }

  async #listOldest(businessId: string, limit: number, maxBytes: number): Promise<string[]> {
    const { isFree, freeParams } = this.#claims;
    const rows = await this.#driver.read(() =>
      all<Pick<Row, "id" | "bytes">>(
        `SELECT t.id, ${BYTES} AS bytes FROM ${this.#table}
         WHERE t.is_indexed = FALSE AND t.business_id = @businessId AND ${isFree} ORDER BY t.board_id, t.sequence LIMIT @limit`,
        { businessId, limit, ...freeParams },
      ),
    );
    const wanted: string[] = [];
    let total = 0;
    for (const { id, bytes } of rows) {
      if (wanted.length > 0 && total >= maxBytes) break;
      wanted.push(id);
      total += bytes;
    }
    return wanted;
  }
}
