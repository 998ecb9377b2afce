import { randomUUID } from "node:crypto";
import type { TileClaims } from "../../sql/search/adapters.ts";
import type { Driver } from "../../sql/driver.ts";
import { run } from "../../sql/unit.ts";

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/** How long a claim of a tile lasts, in milliseconds. Embedding the tiles of one turn takes a quarter of it, writing a part a tenth. */
const CLAIM_MS = 120_000;

/** Creates the claims of one node. They are rows of a table. */
export function createTileClaims({ write }: Driver): TileClaims {
  const node = randomUUID();
  return {
    isFree: `NOT EXISTS (SELECT 1 FROM tile_claim c
      WHERE c.business_id = t.business_id AND c.tile_id = t.id AND c.node <> @node AND c.until > ${NOW})`,
    freeParams: { node },

    async claim({ businessId, tileId }) {
      const claimed = await write(() =>
        run(
          `INSERT INTO tile_claim AS c (business_id, tile_id, node, until) VALUES (@businessId, @tileId, @node, ${NOW} + ${CLAIM_MS})
           ON CONFLICT (business_id, tile_id) DO UPDATE SET node = excluded.node, until = excluded.until
           WHERE c.node = @node OR c.until <= ${NOW}`,
          { businessId, tileId, node },
        ),
      );
      return claimed > 0;
    },

    *release({ businessId, tileId }) {
      yield* run("DELETE FROM tile_claim WHERE business_id = @businessId AND tile_id = @tileId AND node = @node", {
        businessId,
        tileId,
        node,
      });
    },
  };
}
