import Database from "better-sqlite3";
import { newId } from "#domain/core/system.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { databaseFile, openStore } from "#storage/sqlite/store.ts";
import { generateProse } from "../output/random-text.ts";

export type SeedRequest = { readonly dataDir: string; readonly tiles: number };

const BOARDS = 100;
const ZONES = 20;
const TILE_CHARACTERS = 500;
const POOL_CHARACTERS = 400_000;
const BATCH_TILES = 20_000;

/** Tiles indexed in one batch, and the approximate number of terms of a tile. */
const INDEX_BATCH_TILES = 500;
const TERMS_PER_TILE = 75;

type Board = { readonly id: string; readonly number: number; readonly zones: readonly string[] };

/**
 * Adds tiles of 500 characters to 100 other boards, directly in the file of a stopped service. The first board is indexed normally.
 * The others get a copy of its index, since analysing their tiles would take longer than the whole benchmark. The index has its
 * real size, and no request searches those boards.
 */
export async function serve({ dataDir, tiles }: SeedRequest): Promise<{ readonly seconds: number; readonly bytes: number }> {
  const started = performance.now();
  const db = new Database(databaseFile(dataDir));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -262144");
  const business = db.prepare("SELECT id FROM business LIMIT 1").pluck().get() as string;
  const now = Date.now();
  const boards = db.transaction(() => Array.from({ length: BOARDS }, (_, n) => addBoard(db, business, n, now)))();
  const insert = db.prepare(
    `INSERT INTO tile (business_id, id, board_id, zone_id, sequence, type, status, title, title_by_hand, text_by_hand, is_indexed,
       sort_order, created_at, updated_at, extracted_text)
     VALUES (?, ?, ?, ?, ?, 'TEXT', 'ready', ?, 1, 0, ?, ?, ?, ?, ?)`,
  );
  const insertChunk = db.prepare("INSERT INTO chunk (board_number, document, tile_id, start_at, end_at, length) VALUES (?, ?, ?, 0, ?, ?)");
  const pool = generateProse(POOL_CHARACTERS, 7);
  const addBatch = db.transaction((from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const board = boards[n % BOARDS] as Board;
      const sequence = Math.floor(n / BOARDS) + 1;
      const start = (n * 7_919) % (POOL_CHARACTERS - TILE_CHARACTERS);
      const at = now - tiles + n;
      const id = newId("til", at);
      const isFirst = board === boards[0];
      insert.run(
        business,
        id,
        board.id,
        board.zones[sequence % ZONES],
        sequence,
        `Note ${n}`,
        isFirst ? 0 : 1,
        sequence,
        at,
        at,
        pool.slice(start, start + TILE_CHARACTERS),
      );
      if (!isFirst) insertChunk.run(board.number, sequence - 1, id, TILE_CHARACTERS, TERMS_PER_TILE);
    }
  });
  for (let from = 0; from < tiles; from += BATCH_TILES) addBatch(from, Math.min(tiles, from + BATCH_TILES));
  db.prepare("UPDATE board SET next_sequence = ? WHERE slug LIKE 'other-%'").run(Math.ceil(tiles / BOARDS) + 1);
  await indexFirst(dataDir);
  copyIndex(db, boards);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const bytes = (db.pragma("page_count", { simple: true }) as number) * (db.pragma("page_size", { simple: true }) as number);
  db.close();
  return { seconds: (performance.now() - started) / 1_000, bytes };
}

/** Indexes the pending tiles: those of the first board. */
async function indexFirst(dataDir: string): Promise<void> {
  const store = openStore(databaseFile(dataDir));
  try {
    for (;;) {
      const tiles = await store.search.pending(INDEX_BATCH_TILES, INDEX_BATCH_TILES * TILE_CHARACTERS * 2);
      if (tiles.length === 0) return;
      await store.search.index(tiles.map((tile) => ({ tile, analysis: analyse(tile) })));
    }
  } finally {
    await store.close();
  }
}

/** Copies the index of the first board to all others. */
function copyIndex(db: Database.Database, [first, ...others]: readonly Board[]): void {
  if (first === undefined) return;
  const copies = [
    "INSERT INTO posting_block (board_number, block, live, dead) SELECT ?, block, live, dead FROM posting_block WHERE board_number = ?",
    "INSERT INTO posting (board_number, block, term, entries) SELECT ?, block, term, entries FROM posting WHERE board_number = ?",
  ].map((sql) => db.prepare(sql));
  const copyCounts = db.prepare(
    `UPDATE board_index SET (documents, total_length, next_document) =
       (SELECT documents, total_length, next_document FROM board_index WHERE board_number = ?) WHERE board_number = ?`,
  );
  for (const { number } of others) {
    db.transaction(() => {
      for (const copy of copies) copy.run(number, first.number);
      copyCounts.run(first.number, number);
    })();
  }
}

function addBoard(db: Database.Database, business: string, n: number, now: number): Board {
  const id = newId("brd", now);
  db.prepare("INSERT INTO board (business_id, id, name, slug, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)").run(
    business,
    id,
    `Other ${n}`,
    `other-${n}`,
    now,
    now,
  );
  const zones = Array.from({ length: ZONES }, () => newId("zon", now));
  const insert = db.prepare(
    "INSERT INTO zone (business_id, id, board_id, name, sort_order, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  for (const [i, zone] of zones.entries()) insert.run(business, zone, id, `Zone ${i}`, i + 1, now, now);
  const number = db.prepare("SELECT number FROM board WHERE business_id = ? AND id = ?").pluck().get(business, id) as number;
  db.prepare("INSERT INTO board_index (business_id, board_number) VALUES (?, ?)").run(business, number);
  return { id, number, zones };
}
