import { setImmediate } from "node:timers/promises";
import type { VectorStore } from "#domain/answers/vectors.ts";
import { BLOCK_SIZE, toBlock } from "../../shared/codec.ts";
import { type EmbeddingBlock, readFromBlock } from "../../shared/embedding-block.ts";
import { startNearestScan } from "../../shared/nearest-scan.ts";
import type { Driver } from "../driver.ts";
import { Mapping } from "../mapping.ts";
import { isOfBoardRow } from "../search/board-index.ts";
import { BLOCKS_PER_READ, createBlockReader, type StoredBlock } from "./blocks.ts";
import { IS_MODEL_IN_USE } from "./model.ts";
import { HAS_OWN_VECTORS } from "./reset.ts";

const BLOCK_FIELDS = {
  number: { expression: "b.number" },
  block: { expression: "v.block" },
  version: { expression: "v.version" },
} as const;
/** A block of vectors, with the bitmap of its dead chunks. */
const BLOCKS = new Mapping<StoredBlock & { readonly dead: Buffer }>({ ...BLOCK_FIELDS, dead: { expression: "p.dead" } });
/** The vectors of a chunk's sentences, and the block that has its own. */
const SENTENCES = new Mapping<StoredBlock & { readonly document: number; readonly sentences: Buffer }>({
  ...BLOCK_FIELDS,
  document: { expression: "c.document" },
  sentences: { expression: "c.sentence_embeddings" },
});

/** Creates the part of the vector store that searches and reads vectors. */
export function createVectorReader(driver: Driver): Pick<VectorStore, "nearest" | "embeddings"> {
  const { dialect, read } = driver;
  const readBlocks = createBlockReader(driver);
  const isOfModel = `${IS_MODEL_IN_USE} AND ${HAS_OWN_VECTORS}`;

  return {
    async nearest(businessId, boardId, embedding, limit, model = "") {
      const scan = startNearestScan(embedding, limit);
      const blocks = await read(() =>
        BLOCKS.list(
          `board b JOIN passage_block v ON ${isOfBoardRow(dialect, "v")}
           JOIN posting_block p ON ${isOfBoardRow(dialect, "p")} AND p.block = v.block AND p.live > 0
           WHERE b.business_id = @businessId AND b.id = @boardId AND ${isOfModel} ORDER BY v.block`,
          { businessId, boardId, model },
        ),
      );
      const dead = new Map(blocks.map((stored) => [stored.block, stored.dead]));
      let scanned = 0;
      for await (const { block, embeddings } of readBlocks(businessId, blocks)) {
        // Other work gets a turn of the event loop, since scanning these blocks takes about 3 ms.
        if (scanned++ % BLOCKS_PER_READ === BLOCKS_PER_READ - 1) await setImmediate();
        scan.addBlock(block, dead.get(block) ?? Buffer.alloc(0), embeddings);
      }
      return scan.nearest();
    },

    async embeddings(businessId, boardId, documents, model = "") {
      const chunks = await read(() =>
        SENTENCES.list(
          `board b CROSS JOIN chunk c CROSS JOIN passage_block v WHERE b.business_id = @businessId AND b.id = @boardId
           AND ${isOfBoardRow(dialect, "c")} AND ${dialect.isAnyOf("c.document", "documents")} AND c.sentence_embeddings IS NOT NULL
           AND ${isOfBoardRow(dialect, "v")} AND v.block = c.document / ${BLOCK_SIZE} AND ${isOfModel}`,
          { businessId, boardId, documents, model },
        ),
      );
      const wanted = new Map(chunks.map((chunk) => [chunk.block, chunk]));
      const blocks = new Map<number, EmbeddingBlock>();
      for await (const { block, embeddings } of readBlocks(businessId, [...wanted.values()])) blocks.set(block, embeddings);
      const sentences = new Map(chunks.map((chunk) => [chunk.document, chunk.sentences]));
      return documents.flatMap((document) => {
        const block = blocks.get(toBlock(document));
        const stored = sentences.get(document);
        const passage = block === undefined ? undefined : readFromBlock(block, document);
        return stored === undefined || passage === undefined ? [] : [{ document, passage, sentences: stored }];
      });
    },
  };
}
