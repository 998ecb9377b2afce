import type { VectorAdapter } from "../../sql/search/vector-adapter.ts";
import type { Connection } from "../engine/database.ts";
import { noClaims } from "./search-adapter.ts";

/** Blocks are read one by one, since reading is cheap. */
export const createVectorAdapter = (db: Connection): VectorAdapter => ({
  ...noClaims,
  *lockModel() {},

  async *readBlocks(_businessId, board, wanted) {
    for (const { block } of wanted) {
      const sql = "SELECT signatures FROM passage_block WHERE board_number = ? AND block = ?";
      const row = db.get<{ signatures: Buffer }>(sql, board, block);
      if (row !== undefined) yield { block, embeddings: row.signatures };
    }
  },
});
