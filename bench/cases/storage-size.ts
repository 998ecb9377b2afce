import { Client } from "pg";
import { count } from "../output/numbers.ts";
import type { Section } from "../output/report.ts";

const TABLES = ["tile", "chunk", "posting", "posting_block"] as const;

type Sizes = { readonly name: string; readonly rows: number; readonly heap: number; readonly indexes: number };

/** What the stored tiles take in PostgreSQL, indexes and the search index included, after a VACUUM. */
export async function measureBytes(url: string): Promise<Section> {
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
    return sectionOf(sizes);
  } finally {
    await client.end();
  }
}

function sectionOf(sizes: readonly Sizes[]): Section {
  const tiles = sizes[0]?.rows ?? 0;
  const all = sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  return {
    title: "Bytes of a tile on PostgreSQL",
    note: `${count(tiles)} tiles, of 500 characters nearly all; ${count(all / tiles)} bytes each with everything that belongs to them.`,
    columns: ["table", "rows", "bytes of a tile", "of its indexes"],
    rows: sizes.map(({ name, rows, heap, indexes }) => [name, count(rows), count(heap / tiles), count(indexes / tiles)]),
  };
}
