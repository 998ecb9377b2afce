import { setImmediate } from "node:timers/promises";
import type { PassageEmbeddings, UnembeddedTile, VectorStore } from "#domain/answers/vectors.ts";
import { startNearestScan } from "../../shared/nearest-scan.ts";
import { toBlock } from "../../shared/codec.ts";
import { checkEmbeddings, type EmbeddingBlock, readFromBlock } from "../../shared/embedding-block.ts";
import { type BoardRef, createRoundRobin, type QueuedTiles, type QueuedTile } from "../../shared/turns/round-robin.ts";
import type { Driver } from "../driver.ts";
import { all, exists, get, run, type Unit } from "../unit.ts";
import type { StoredBlock, VectorAdapter } from "./vector-adapter.ts";
import { beginReset, continueReset, HAS_OWN_VECTORS } from "./vector-reset.ts";
import { type Embedded, MAX_PASSAGES, splitIntoUnits, storeEmbeddings } from "./vector-writes.ts";

/** Blocks that are scanned in one turn of the event loop, about 3 ms. */
const BLOCKS_PER_TURN = 32;

export class SqlVectorStore implements VectorStore {
  readonly #driver: Driver;
  readonly #adapter: VectorAdapter;
  readonly #scheduler = createRoundRobin();
  /** The model that this process computes vectors with; null for none. */
  #model: string | null = null;
  /** A condition on the tile `t`, exactly as in the partial index. */
  readonly #isWaiting: string;
  readonly #tileTable: string;

  constructor(driver: Driver, adapter: VectorAdapter) {
    this.#driver = driver;
    this.#adapter = adapter;
    const { useIndex } = driver.dialect;
    this.#isWaiting = `t.is_embedded = FALSE AND t.is_indexed = TRUE AND t.status = 'ready' AND t.deleted_at IS NULL`;
    this.#tileTable = `tile t${useIndex("tile_unembedded")}`;
  }

  async useModel(model: string | null): Promise<boolean> {
    const { claimModel } = this.#adapter;
    const isUsed = claimModel === null || (await claimModel(model));
    if (isUsed) await this.#driver.write(() => this.#useModel(model));
    this.#model = isUsed ? model : null;
    return isUsed;
  }

  async modelInUse(): Promise<string | null> {
    return (await this.#driver.read(() => get<{ model: string }>("SELECT model FROM vector_model WHERE is_on")))?.model ?? null;
  }

  *#useModel(model: string | null): Unit<void> {
    yield* this.#adapter.lockModel();
    if (model === null) {
      yield* run("UPDATE vector_model SET is_on = FALSE");
      return;
    }
    const stored = yield* get<{ model: string }>("SELECT model FROM vector_model");
    if (stored !== undefined && stored.model !== model) yield* beginReset();
    yield* run("DELETE FROM vector_model");
    yield* run("INSERT INTO vector_model (model, is_on) VALUES (@model, TRUE)", { model });
  }

  async discardStep(): Promise<boolean> {
    const { dialect, write } = this.#driver;
    const isOwnModel = (): Unit<boolean> => this.#isOwnModel();
    return write(function* () {
      return (yield* isOwnModel()) && (yield* continueReset(dialect));
    });
  }

  async unembedded(limit: number, maxCharacters: number): Promise<UnembeddedTile[]> {
    if (!(await this.#driver.read(() => this.#isOwnModel()))) return [];
    const tiles: UnembeddedTile[] = [];
    let characters = 0;
    for (const waiting of await this.#scheduler.next(this.#waitingTiles, limit)) {
      const tile = (await this.#adapter.claim(waiting)) ? await this.#driver.read(() => this.#readTile(waiting)) : null;
      this.#scheduler.recordTurn(waiting);
      if (tile === null) continue;
      tiles.push(tile);
      characters += tile.text.length;
      if (characters >= maxCharacters) break;
    }
    return tiles;
  }

  readonly #waitingTiles: QueuedTiles = {
    boardAfter: (board) => this.#driver.read(() => this.#findBoardAfter(board)),
    tilesAfter: (board, sequence, limit) => this.#driver.read(() => this.#listTilesAfter(board, sequence, limit)),
  };

  *#findBoardAfter(board: BoardRef | null): Unit<BoardRef | undefined> {
    const { isFree, freeParams } = this.#adapter;
    const hasOwnVectors = "NOT EXISTS (SELECT 1 FROM vector_reset r WHERE r.business_id = t.business_id AND r.board_id = t.board_id)";
    const row = yield* get<{ business_id: string; board_id: string }>(
      `SELECT t.business_id, t.board_id FROM ${this.#tileTable}
       WHERE ${this.#isWaiting} AND (t.business_id, t.board_id) > (@businessId, @boardId) AND ${isFree} AND ${hasOwnVectors}
       ORDER BY t.business_id, t.board_id LIMIT 1`,
      { businessId: board?.businessId ?? "", boardId: board?.boardId ?? "", ...freeParams },
    );
    return row === undefined ? undefined : { businessId: row.business_id, boardId: row.board_id };
  }

  *#listTilesAfter(board: BoardRef, sequence: number, limit: number): Unit<QueuedTile[]> {
    const { isFree, freeParams } = this.#adapter;
    const rows = yield* all<{ id: string; sequence: number }>(
      `SELECT t.id, t.sequence FROM ${this.#tileTable} WHERE ${this.#isWaiting} AND t.business_id = @businessId AND t.board_id = @boardId
       AND t.sequence > @sequence AND ${isFree} ORDER BY t.sequence LIMIT @limit`,
      { businessId: board.businessId, boardId: board.boardId, sequence, limit, ...freeParams },
    );
    return rows.map((row) => ({ ...board, tileId: row.id, sequence: row.sequence }));
  }

  *#readTile({ businessId, boardId, tileId }: QueuedTile): Unit<UnembeddedTile | null> {
    // One statement, so that text and chunks are consistent.
    const row = yield* get<{ version: number; extracted_text: string; chunks: string | null }>(
      `SELECT t.version, t.extracted_text, ${this.#driver.dialect.index.chunksAsJson} AS chunks
       FROM tile t WHERE t.business_id = @businessId AND t.id = @tileId AND ${this.#isWaiting}`,
      { businessId, tileId },
    );
    if (row === undefined) return null;
    const chunks = JSON.parse(row.chunks ?? "[]") as [number, number, number][];
    return {
      businessId,
      boardId,
      tileId,
      version: row.version,
      text: row.extracted_text,
      chunks: chunks.map(([document, start, end]) => ({ document, start, end })),
    };
  }

  async embed(items: readonly Embedded[]): Promise<void> {
    for (const { embeddings } of items) embeddings.forEach(checkEmbeddings);
    for (const group of Map.groupBy<string, Embedded>(items, ({ tile }) => `${tile.businessId} ${tile.boardId}`).values())
      for (const unit of splitIntoUnits(group, MAX_PASSAGES)) await this.#driver.write(() => this.#embed(unit));
  }

  *#embed(group: Parameters<typeof storeEmbeddings>[3]): Unit<void> {
    if (!(yield* this.#isOwnModel())) return;
    const { businessId, boardId } = (group[0] as (typeof group)[number]).tile;
    if (!(yield* exists(`SELECT 1 WHERE ${HAS_OWN_VECTORS}`, { businessId, boardId }))) return;
    yield* storeEmbeddings(this.#driver.dialect, this.#adapter, this.#isWaiting, group);
  }

  async nearest(...[businessId, boardId, embedding, limit, model]: Parameters<VectorStore["nearest"]>): ReturnType<VectorStore["nearest"]> {
    const { index } = this.#driver.dialect;
    const scan = startNearestScan(embedding, limit);
    const rows = await this.#driver.read(() =>
      all<StoredBlock & { number: number; dead: Buffer }>(
        `SELECT b.number, v.block, ${index.blockVersion} AS version, p.dead FROM board b
         JOIN passage_block v ON ${index.isOfRow("v")} JOIN posting_block p ON ${index.isOfRow("p")} AND p.block = v.block AND p.live > 0
         WHERE b.business_id = @businessId AND b.id = @boardId AND ${this.#isModelInUse()} AND ${HAS_OWN_VECTORS} ORDER BY v.block`,
        { businessId, boardId, model: model ?? "" },
      ),
    );
    const [first] = rows;
    if (first === undefined) return [];
    const dead = new Map(rows.map((row) => [row.block, row.dead]));
    let scanned = 0;
    for await (const { block, embeddings } of this.#adapter.readBlocks(businessId, first.number, rows)) {
      if (scanned++ % BLOCKS_PER_TURN === BLOCKS_PER_TURN - 1) await setImmediate();
      scan.addBlock(block, dead.get(block) ?? Buffer.alloc(0), embeddings);
    }
    return scan.nearest();
  }

  async embeddings(...[businessId, boardId, documents, model]: Parameters<VectorStore["embeddings"]>): Promise<PassageEmbeddings[]> {
    const { index, isAnyOf } = this.#driver.dialect;
    const rows = await this.#driver.read(() =>
      all<StoredBlock & { number: number; document: number; sentences: Buffer }>(
        `SELECT b.number, c.document, c.sentence_signatures AS sentences, v.block, ${index.blockVersion} AS version
         FROM board b CROSS JOIN chunk c CROSS JOIN passage_block v
         WHERE b.business_id = @businessId AND b.id = @boardId AND ${index.isOfRow("c")} AND ${isAnyOf("c.document", "documents")}
           AND c.sentence_signatures IS NOT NULL AND ${index.isOfRow("v")} AND v.block = c.document / 2048 AND ${this.#isModelInUse()} AND ${HAS_OWN_VECTORS}`,
        { businessId, boardId, documents, model: model ?? "" },
      ),
    );
    const [first] = rows;
    if (first === undefined) return [];
    const blocks = new Map<number, EmbeddingBlock>();
    const wanted = [...new Map(rows.map(({ block, version }) => [block, { block, version }])).values()];
    for await (const { block, embeddings } of this.#adapter.readBlocks(businessId, first.number, wanted)) blocks.set(block, embeddings);
    const sentences = new Map(rows.map((row) => [row.document, row.sentences]));
    return documents.flatMap((document) => {
      const block = blocks.get(toBlock(document));
      const stored = sentences.get(document);
      const passage = block === undefined ? undefined : readFromBlock(block, document);
      return stored === undefined || passage === undefined ? [] : [{ document, passage, sentences: stored }];
    });
  }

  /** Returns the condition that the model `@model` is in use. It is always true for an empty `@model`. */
  #isModelInUse(): string {
    return `(@model = '' OR EXISTS (SELECT 1 FROM vector_model WHERE is_on AND model = @model))`;
  }

  *#isOwnModel(): Unit<boolean> {
    return this.#model !== null && (yield* exists(`SELECT 1 WHERE ${this.#isModelInUse()}`, { model: this.#model }));
  }
}
