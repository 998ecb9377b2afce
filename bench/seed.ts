import Database from "better-sqlite3";
import { newId } from "#domain/system.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { prose } from "./output/text.ts";

export type SeedOrder = { readonly dataDir: string; readonly tiles: number };

const BOARDS = 100;
const ZONES = 20;
const LENGTH = 500;
const POOL = 400_000;
const BATCH = 20_000;

/**
 * Puts tiles of 500 characters on 100 other boards, straight into the file of a stopped service. They are marked as indexed;
 * the words themselves are not in the search index, since analysing them would take longer than the whole benchmark.
 */
export async function serve({ dataDir, tiles }: SeedOrder): Promise<{ readonly seconds: number; readonly bytes: number }> {
  const started = performance.now();
  const db = new Database(databaseFile(dataDir));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -262144");
  const business = db.prepare("SELECT id FROM business LIMIT 1").pluck().get() as string;
  const now = Date.now();
  const boards = db.transaction(() => Array.from({ length: BOARDS }, (_, n) => addBoard(db, business, n, now)))();
  const insert = db.prepare(
    `INSERT INTO tile (business_id, id, board_id, zone_id, sequence, type, status, title, title_by_hand, text_by_hand, indexed,
       sort_order, created_at, updated_at, extracted_text)
     VALUES (?, ?, ?, ?, ?, 'TEXT', 'ready', ?, 1, 0, 1, ?, ?, ?, ?)`,
  );
  const pool = prose(POOL, 7);
  const addBatch = db.transaction((from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const board = boards[n % BOARDS] as { id: string; zones: string[] };
      const sequence = Math.floor(n / BOARDS) + 1;
      const start = (n * 7_919) % (POOL - LENGTH);
      const at = now - tiles + n;
      insert.run(
        business,
        newId("til", at),
        board.id,
        board.zones[sequence % ZONES],
        sequence,
        `Note ${n}`,
        sequence,
        at,
        at,
        pool.slice(start, start + LENGTH),
      );
    }
  });
  for (let from = 0; from < tiles; from += BATCH) addBatch(from, Math.min(tiles, from + BATCH));
  db.prepare("UPDATE board SET next_sequence = ? WHERE slug LIKE 'other-%'").run(Math.ceil(tiles / BOARDS) + 1);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const bytes = (db.pragma("page_count", { simple: true }) as number) * (db.pragma("page_size", { simple: true }) as number);
  db.close();
  return { seconds: (performance.now() - started) / 1_000, bytes };
}

function addBoard(db: Database.Database, business: string, n: number, now: number): { id: string; zones: string[] } {
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
  return { id, zones };
}
