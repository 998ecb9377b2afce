import type { EmbeddingBlock } from "../../shared/embedding-block.ts";
import type { VectorAdapter } from "../../sql/search/vector-adapter.ts";
import type { Driver } from "../../sql/driver.ts";
import { get } from "../../sql/unit.ts";
import { noClaims } from "./search-adapter.ts";

/** Blocks are read one by one, since reading is cheap. */
export const createVectorAdapter = ({ read }: Pick<Driver, "read">): VectorAdapter => ({
  ...noClaims,
  *lockModel() {},
  // Only one process works on the tiles of a file.
  claimModel: null,

  async *readBlocks(_businessId, board, wanted) {
    const sql = "SELECT width, signatures AS bytes FROM passage_block WHERE board_number = @board AND block = @block";
    for (const { block } of wanted) {
      const embeddings = await read(() => get<EmbeddingBlock>(sql, { board, block }));
      if (embeddings !== undefined) yield { block, embeddings };
    }
  },
});
