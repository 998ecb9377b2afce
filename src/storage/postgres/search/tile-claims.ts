import { randomUUID } from "node:crypto";
import type { TileClaims } from "../../sql/search/tile-claims.ts";
import { run } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/** How long a claim of a tile lasts, in milliseconds. Embedding the tiles of one turn takes a quarter of it, writing a part a tenth. */
const CLAIM_MS = 120_000;

/** Creates the claims of one node. They are rows of a table. */
export function createTileClaims(db: Database): TileClaims {
  const node = randomUUID();
  return {
    isFree: `NOT EXISTS (SELECT 1 FROM embedding e
      WHERE e.business_id = t.business_id AND e.tile_id = t.id AND e.node <> @node AND e.until > ${NOW})`,
    freeParams: { node },

    claim: ({ businessId, tileId }) =>
      db.write(async (tx) => {
        const rows = await tx.run(
          `INSERT INTO embedding AS e (business_id, tile_id, node, until) VALUES (@businessId, @tileId, @node, ${NOW} + ${CLAIM_MS})
           ON CONFLICT (business_id, tile_id) DO UPDATE SET node = excluded.node, until = excluded.until WHERE e.node = @node OR e.until <= ${NOW}`,
          { businessId, tileId, node },
        );
        return rows > 0;
      }),

    *release({ businessId, tileId }) {
      yield* run("DELETE FROM embedding WHERE business_id = @businessId AND tile_id = @tileId AND node = @node", {
        businessId,
        tileId,
        node,
      });
    },
  };
}
