import type { StepLimit } from "#domain/content/changes.ts";
import type { Tile } from "#domain/content/tile.ts";
import type { Dialect } from "../driver.ts";
import { Mapping, plain } from "../mapping.ts";
import { TEXT_BYTES } from "../tiles/rows/tile-columns.ts";
import { hashAddress, hashSentText } from "../tiles/rows/tile-hashes.ts";
import { limitStep } from "../tiles/tile-steps.ts";
import { run, type Unit } from "../unit.ts";

/** The condition of the index `tile_without_hash`. */
const HAS_NO_HASH = "((t.source_url IS NOT NULL AND t.address_hash IS NULL) OR (t.type = 'TEXT' AND t.text_hash IS NULL))";
const KEY = { businessId: plain, id: plain };

const FOUND = new Mapping<{ readonly businessId: string; readonly id: string; readonly bytes: number }>(
  { ...KEY, bytes: { expression: TEXT_BYTES } },
  "t",
);
/** Texts are read only of tiles that were made of one. */
const CONTENTS = new Mapping<Pick<Tile, "businessId" | "id" | "type" | "sourceUrl" | "rawContent">>(
  {
    ...KEY,
    type: plain,
    sourceUrl: plain,
    rawContent: { expression: "CASE WHEN t.type = 'TEXT' THEN coalesce(t.raw_content, t.extracted_text) ELSE '' END" },
  },
  "t",
);

/**
 * Stores the hashes of the first tiles without them, deleted ones included. Tiles that another unit has locked are left out. Neither their
 * version nor the time of their change is touched, since nothing that callers see changes.
 */
export function* fillHashes(dialect: Dialect, limit: StepLimit): Unit<number> {
  const found = yield* FOUND.list(
    `tile t${dialect.useIndex("tile_without_hash")} WHERE ${HAS_NO_HASH} ORDER BY t.business_id, t.id
     LIMIT @rows${dialect.locking("FOR UPDATE OF t SKIP LOCKED")}`,
    { rows: limit.tiles },
  );
  const tiles = limitStep(found, limit);
  if (tiles.length === 0) return 0;
  const contents = yield* CONTENTS.list(
    `tile t WHERE ${dialect.isAnyOf("t.business_id", "businesses")} AND ${dialect.isAnyOf("t.id", "ids")} AND ${HAS_NO_HASH}`,
    { businesses: [...new Set(tiles.map(({ businessId }) => businessId))], ids: tiles.map(({ id }) => id) },
  );
  const rows = contents.map(({ businessId, id, sourceUrl, ...content }) => ({
    business_id: businessId,
    id,
    address_hash: sourceUrl === null ? null : hashAddress(sourceUrl),
    text_hash: hashSentText(content),
  }));
  const columns = { business_id: "text", id: "text", address_hash: "text", text_hash: "text" } as const;
  return yield* run(
    `UPDATE tile SET address_hash = r.address_hash, text_hash = r.text_hash FROM ${dialect.rowsOfJson("rows", columns)} AS r
     WHERE tile.business_id = r.business_id AND tile.id = r.id`,
    { rows: JSON.stringify(rows) },
  );
}
