import { setImmediate as nextTurn } from "node:timers/promises";
import { MAX_COUNTED, type QueueState, type StatisticsStore } from "#domain/metrics/statistics.ts";
import type { TileStore } from "#domain/content/tile-store.ts";
import type { Driver } from "../driver.ts";
import { all, get, type Unit } from "../unit.ts";

/** Index entries that are counted in one turn of the event loop, a few milliseconds, and parts of files. */
const TILES_PER_STEP = 2_000;
const PARTS_PER_STEP = 200;

type TileKey = { readonly business_id: string; readonly board_id: string; readonly sequence: number };
type PartKey = { readonly business_id: string; readonly tile_id: string; readonly part: number };

/** The sizes that both engines read in the same way. */
export function createStatisticsStore(driver: Driver, tiles: Pick<TileStore, "counts">): Omit<StatisticsStore, "databaseBytes"> {
  const { useIndex } = driver.dialect;
  const waiting = `job${useIndex("job_due")} WHERE lease IS NULL`;
  return {
    queues: () =>
      driver.read(function* () {
        const oldest = yield* get<{ at: number | null }>(`SELECT min(run_at) AS at FROM ${waiting}`);
        return {
          links: { length: yield* countUpTo(`SELECT 1 FROM ${waiting}`), oldestAt: oldest?.at ?? null },
          deliveries: yield* readQueue(`delivery${useIndex("delivery_waiting")} WHERE status = 'pending'`),
          generations: yield* readQueue(`generation${useIndex("generation_leased")} WHERE lease IS NOT NULL`),
        };
      }),

    async tiles() {
      const all = await countTiles(driver, "tile_by_board", "deleted_at IS NULL");
      const unready = await countTiles(driver, "tile_unready", "status <> 'ready' AND deleted_at IS NULL");
      const { processing } = await tiles.counts();
      // The counts are of different moments.
      return { processing, failed: Math.max(0, unready - processing), ready: Math.max(0, all - unready) };
    },

    fileBytes: () => sumFileBytes(driver),
  };
}

/** Counts the tiles of an index on board and sequence, step by step. */
async function countTiles({ dialect, read }: Driver, index: string, condition: string): Promise<number> {
  const from = `FROM tile${dialect.useIndex(index)} WHERE ${condition} AND (business_id, board_id, sequence) > (@business_id, @board_id, @sequence)`;
  let after: TileKey = { business_id: "", board_id: "", sequence: -1 };
  for (let count = 0; ; count += TILES_PER_STEP) {
    const key = { ...after };
    const last = await read(() =>
      get<TileKey>(
        `SELECT business_id, board_id, sequence ${from} ORDER BY business_id, board_id, sequence LIMIT 1 OFFSET ${TILES_PER_STEP - 1}`,
        key,
      ),
    );
    if (last === undefined) {
      const rest = await read(() =>
        get<{ count: number }>(`SELECT count(*) AS count FROM (SELECT business_id ${from} LIMIT ${TILES_PER_STEP}) AS rest`, key),
      );
      return count + (rest?.count ?? 0);
    }
    after = last;
    await nextTurn();
  }
}

/** Adds up the parts of all uploads, step by step. Both engines know the length of a value without reading it. */
async function sumFileBytes({ read }: Driver): Promise<number> {
  let after: PartKey = { business_id: "", tile_id: "", part: -1 };
  for (let bytes = 0; ;) {
    const { business_id, tile_id, part } = after;
    const parts = await read(() =>
      all<PartKey & { bytes: number }>(
        `SELECT business_id, tile_id, part, length(bytes) AS bytes FROM file_part
         WHERE (business_id, tile_id, part) > (@business_id, @tile_id, @part) ORDER BY business_id, tile_id, part LIMIT ${PARTS_PER_STEP}`,
        { business_id, tile_id, part },
      ),
    );
    bytes += parts.reduce((sum, each) => sum + each.bytes, 0);
    const last = parts.at(-1);
    if (last === undefined || parts.length < PARTS_PER_STEP) return bytes;
    after = last;
    await nextTurn();
  }
}

function* countUpTo(select: string): Unit<number> {
  return (yield* get<{ length: number }>(`SELECT count(*) AS length FROM (${select} LIMIT ${MAX_COUNTED}) AS waiting`))?.length ?? 0;
}

function* readQueue(from: string): Unit<QueueState> {
  const row = yield* get<{ length: number; at: number | null }>(
    `SELECT count(*) AS length, min(created_at) AS at FROM (SELECT created_at FROM ${from} LIMIT ${MAX_COUNTED}) AS waiting`,
  );
  return { length: row?.length ?? 0, oldestAt: row?.at ?? null };
}
