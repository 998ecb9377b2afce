import { Client } from "pg";
import { formatCount } from "../../output/numbers.ts";
import type { Section } from "../../output/report.ts";

const TABLES = ["tile", "chunk", "posting", "posting_block"] as const;

type Sizes = { readonly name: string; readonly rows: number; readonly heap: number; readonly indexes: number };

/** Measures the storage of tiles in PostgreSQL after a VACUUM, including indexes and the search index. */
export async function measureStorageSize(url: string): Promise<Section> {
  const client = new Client(url);
  await client.connect();
  try {
    const sizes: Sizes[] = [];
    for (const name of TABLES) {
      await client.query(`VACUUM ANALYZE ${name}`);
      const { rows } = await client.query<{ rows: string; heap: string; indexes: string }>(
        `SELECT (SELECT count(*) FROM ${name}) AS rows, pg_table_size('${name}') AS heap, pg_indexes_size('${name}') AS indexes`,
      );
      const [row] = rows;
      sizes.push({ name, rows: Number(row?.rows), heap: Number(row?.heap), indexes: Number(row?.indexes) });
    }
    return buildSection(sizes);
  } finally {
    await client.end();
  }
}

function buildSection(sizes: readonly Sizes[]): Section {
  const tiles = sizes[0]?.rows ?? 0;
  const all = sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  return {
    title: "Storage per tile on PostgreSQL",
    note: `${formatCount(tiles)} tiles, nearly all of 500 characters; ${formatCount(all / tiles)} bytes per tile in all tables and indexes.`,
    columns: ["table", "rows", "table bytes per tile", "index bytes per tile"],
    rows: sizes.map(({ name, rows, heap, indexes }) => [name, formatCount(rows), formatCount(heap / tiles), formatCount(indexes / tiles)]),
  };
}
