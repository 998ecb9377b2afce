import { setImmediate } from "node:timers/promises";
import type { PassageSignatures, UnembeddedTile, VectorStore } from "#domain/answers/vectors.ts";
import { startScan } from "../../shared/nearest.ts";
import { blockOf, checkSignatures, takeFromBlock } from "../../shared/signatures.ts";
import { type BoardRef, createTurns, type WaitingTiles, type WaitingTile } from "../../shared/turns.ts";
import type { Driver } from "../driver.ts";
import { all, get, run, type Params, type Unit } from "../unit.ts";
import { type Embedded, storeSignatures } from "./vector-writes.ts";

export type StoredBlock = { readonly block: number; readonly version: number };

/** What the engines do in ways of their own: several nodes share PostgreSQL, so they claim tiles, and cache blocks that travel. */
export type VectorAdapter = {
  /** A condition on the tile `t`: no other process works on it. */
  readonly isFree: string;
  /** The parameters of `isFree`. */
  readonly freeParams: Params;
  /** Claims a tile for this process; false where another one was quicker. */
  claim(tile: WaitingTile): Promise<boolean>;
  /** Ends a claim, in the unit of work that stores the tile's vectors. */
  release(tile: { readonly businessId: string; readonly tileId: string }): Unit<void>;
  /** Keeps other processes from changing the model until the unit is committed, however long all vectors take to delete. */
  lockModel(): Unit<void>;
  /** The stored blocks of vectors, in the order asked for; missing ones are left out. */
  readBlocks(
    businessId: string,
    board: number,
    wanted: readonly StoredBlock[],
  ): AsyncIterable<{ readonly block: number; readonly signatures: Uint8Array }>;
};

/** Blocks looked at in one turn of the event loop, about 3 ms. */
const BLOCKS_PER_TURN = 32;

export class SqlVectorStore implements VectorStore {
  readonly #driver: Driver;
  readonly #adapter: VectorAdapter;
  readonly #turns = createTurns();
  /** The model that this process makes vectors with; null: none. */
  #model: string | null = null;
  /** A condition on the tile `t`, in the form in which its index states it. */
  readonly #isWaiting: string;
  readonly #tile: string;

  constructor(driver: Driver, adapter: VectorAdapter) {
    this.#driver = driver;
    this.#adapter = adapter;
    const { is, tile, useIndex } = driver.dialect;
    this.#isWaiting = `${is(`t.${tile.embedded}`, false)} AND ${is(`t.${tile.indexed}`, true)} AND t.status = 'ready' AND t.deleted_at IS NULL`;
    this.#tile = `tile t${useIndex("tile_unembedded")}`;
  }

  async useModel(model: string | null): Promise<void> {
    this.#model = model;
    await this.#driver.write(() => this.#useModel(model));
  }

  *#useModel(model: string | null): Unit<void> {
    if (model === null) {
      yield* run("UPDATE vector_model SET is_on = FALSE");
      return;
    }
    yield* this.#adapter.lockModel();
    const stored = yield* get<{ model: string }>("SELECT model FROM vector_model");
    if (stored?.model !== model) {
      const { is, tile } = this.#driver.dialect;
      yield* run("DELETE FROM passage_block");
      yield* run("UPDATE chunk SET sentence_signatures = NULL WHERE sentence_signatures IS NOT NULL");
      yield* run(`UPDATE tile SET ${tile.embedded} = FALSE WHERE ${is(tile.embedded, true)}`);
    }
    yield* run("DELETE FROM vector_model");
    yield* run("INSERT INTO vector_model (model, is_on) VALUES (@model, TRUE)", { model });
  }

  async unembedded(limit: number, maxCharacters: number): Promise<UnembeddedTile[]> {
    const found: UnembeddedTile[] = [];
    if (!(await this.#driver.read(() => this.#isOwnModel()))) return found;
    let characters = 0;
    for (const waiting of await this.#turns.next(this.#waitingTiles, limit)) {
      const tile = (await this.#adapter.claim(waiting)) ? await this.#driver.read(() => this.#readTile(waiting)) : null;
      this.#turns.took(waiting);
      if (tile === null) continue;
      found.push(tile);
      characters += tile.text.length;
      if (characters >= maxCharacters) break;
    }
    return found;
  }

  readonly #waitingTiles: WaitingTiles = {
    boardAfter: (place) => this.#driver.read(() => this.#findBoardAfter(place)),
    tilesAfter: (board, sequence, limit) => this.#driver.read(() => this.#listTilesAfter(board, sequence, limit)),
  };

  *#findBoardAfter(place: BoardRef | null): Unit<BoardRef | undefined> {
    const { isFree, freeParams } = this.#adapter;
    const row = yield* get<{ business_id: string; board_id: string }>(
      `SELECT t.business_id, t.board_id FROM ${this.#tile}
       WHERE ${this.#isWaiting} AND (t.business_id, t.board_id) > (@businessId, @boardId) AND ${isFree}
       ORDER BY t.business_id, t.board_id LIMIT 1`,
      { businessId: place?.businessId ?? "", boardId: place?.boardId ?? "", ...freeParams },
    );
    return row === undefined ? undefined : { businessId: row.business_id, boardId: row.board_id };
  }

  *#listTilesAfter(board: BoardRef, sequence: number, limit: number): Unit<WaitingTile[]> {
    const { isFree, freeParams } = this.#adapter;
    const rows = yield* all<{ id: string; sequence: number }>(
      `SELECT t.id, t.sequence FROM ${this.#tile} WHERE ${this.#isWaiting} AND t.business_id = @businessId AND t.board_id = @boardId
       AND t.sequence > @sequence AND ${isFree} ORDER BY t.sequence LIMIT @limit`,
      { businessId: board.businessId, boardId: board.boardId, sequence, limit, ...freeParams },
    );
    return rows.map((row) => ({ ...board, tileId: row.id, sequence: row.sequence }));
  }

  *#readTile({ businessId, boardId, tileId }: WaitingTile): Unit<UnembeddedTile | null> {
    // One statement, so that the text and its passages are of one moment.
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
    for (const { signatures } of items) signatures.forEach(checkSignatures);
    for (const group of Map.groupBy<string, Embedded>(items, ({ tile }) => `${tile.businessId} ${tile.boardId}`).values())
      await this.#driver.write(() => this.#embed(group));
  }

  *#embed(group: readonly Embedded[]): Unit<void> {
    if (!(yield* this.#isOwnModel())) return;
    yield* storeSignatures(this.#driver.dialect, this.#adapter, this.#isWaiting, group);
  }

  async nearest(...[businessId, boardId, signature, limit, model]: Parameters<VectorStore["nearest"]>): ReturnType<VectorStore["nearest"]> {
    const { index } = this.#driver.dialect;
    const scan = startScan(signature, limit);
    const rows = await this.#driver.read(() =>
      all<StoredBlock & { number: number; dead: Buffer }>(
        `SELECT b.number, v.block, ${index.blockVersion} AS version, p.dead FROM board b
         JOIN passage_block v ON ${index.isOfRow("v")} JOIN posting_block p ON ${index.isOfRow("p")} AND p.block = v.block AND p.live > 0
         WHERE b.business_id = @businessId AND b.id = @boardId AND ${this.#isModel()} ORDER BY v.block`,
        { businessId, boardId, model: model ?? "" },
      ),
    );
    const [first] = rows;
    if (first === undefined) return [];
    const dead = new Map(rows.map((row) => [row.block, row.dead]));
    let looked = 0;
    for await (const { block, signatures } of this.#adapter.readBlocks(businessId, first.number, rows)) {
      if (looked++ % BLOCKS_PER_TURN === BLOCKS_PER_TURN - 1) await setImmediate();
      scan.look(block, dead.get(block) ?? Buffer.alloc(0), signatures);
    }
    return scan.nearest();
  }

  async signatures(...[businessId, boardId, documents, model]: Parameters<VectorStore["signatures"]>): Promise<PassageSignatures[]> {
    const { index, isAnyOf } = this.#driver.dialect;
    const rows = await this.#driver.read(() =>
      all<StoredBlock & { number: number; document: number; sentences: Buffer }>(
        `SELECT b.number, c.document, c.sentence_signatures AS sentences, v.block, ${index.blockVersion} AS version
         FROM board b CROSS JOIN chunk c CROSS JOIN passage_block v
         WHERE b.business_id = @businessId AND b.id = @boardId AND ${index.isOfRow("c")} AND ${isAnyOf("c.document", "documents")}
           AND c.sentence_signatures IS NOT NULL AND ${index.isOfRow("v")} AND v.block = c.document / 2048 AND ${this.#isModel()}`,
        { businessId, boardId, documents, model: model ?? "" },
      ),
    );
    const [first] = rows;
    if (first === undefined) return [];
    const blocks = new Map<number, Uint8Array>();
    const wanted = [...new Map(rows.map(({ block, version }) => [block, { block, version }])).values()];
    for await (const { block, signatures } of this.#adapter.readBlocks(businessId, first.number, wanted)) blocks.set(block, signatures);
    const sentences = new Map(rows.map((row) => [row.document, row.sentences]));
    return documents.flatMap((document) => {
      const block = blocks.get(blockOf(document));
      const own = sentences.get(document);
      const passage = block === undefined ? undefined : takeFromBlock(block, document);
      return own === undefined || passage === undefined ? [] : [{ document, passage, sentences: own }];
    });
  }

  /** A condition: the model `@model` is in use; every model for the empty string. */
  #isModel(): string {
    return `(@model = '' OR EXISTS (SELECT 1 FROM vector_model WHERE ${this.#driver.dialect.is("is_on", true)} AND model = @model))`;
  }

  *#isOwnModel(): Unit<boolean> {
    const model = this.#model;
    if (model === null) return false;
    const sql = `SELECT 1 FROM vector_model WHERE ${this.#driver.dialect.is("is_on", true)} AND model = @model`;
    return (yield* get(sql, { model })) !== undefined;
  }
}
