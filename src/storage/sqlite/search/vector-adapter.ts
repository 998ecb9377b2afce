import type { VectorAdapter } from "../../sql/search/vector-adapter.ts";
import type { Connection } from "../engine/database.ts";

/** Only one process uses the file, so tiles need no claims. Blocks are read one by one, since reading is cheap. */
export const createVectorAdapter = (db: Connection): VectorAdapter => ({
  isFree: "TRUE",
  freeParams: {},
  claim: async () => true,
  *release() {},
  *lockModel() {},

  async *readBlocks(_businessId, board, wanted) {
    for (const { block } of wanted) {
      const sql = "SELECT signatures FROM passage_block WHERE board_number = ? AND block = ?";
      const row = db.get<{ signatures: Buffer }>(sql, board, block);
      if (row !== undefined) yield { block, embeddings: row.signatures };
    }
  },
});
