import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

const ROOT = join(import.meta.dirname, "../../../src/storage");

/** The files of a folder, without those of the engine. */
const listSources = (engine: string): string[] =>
  readdirSync(join(ROOT, engine), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("engine"))
    .sort();

/**
 * Statements that may omit the business: those that find the business of something or the businesses with work,
 * metrics over all of them, and locks and notifications.
 */
const MAY_ASK_ALL = [
  "business ORDER BY created_at, id",
  "business WHERE id = @id",
  "FROM business WHERE id = @businessId",
  "SELECT id FROM business ORDER BY id",
  "SELECT * FROM ${table} LIMIT 1",
  "LOCK TABLE business",
  "api_key WHERE hash = @hash",
  "member WHERE email = @email",
  "session WHERE hash = @hash",
  "invitation WHERE hash = @hash",
  "claim WHERE hash = @hash",
  "inbound_address WHERE hash = @hash",
  "SELECT (SELECT count(*) FROM tile${useIndex",
  "SELECT count(*) AS length FROM (${select} LIMIT",
  "SELECT count(*) AS length, min(created_at) AS at FROM (",
  "SELECT pg_database_size(current_database())",
  "SELECT min(run_at) AS at FROM ${waiting}",
  "SELECT 1 FROM ${waiting}",
  // The events of all businesses get their positions in one order.
  'event${useIndex("event_waiting")} WHERE position IS NULL',
  "SELECT 1 AS found FROM ${fromWaiting(dialect)}",
  "SELECT min(business_id) FROM ${fromWaiting(dialect)}",
  "SELECT position FROM feed",
  "UPDATE feed SET",
  "INSERT INTO feed",
  // A worker claims jobs of all businesses.
  "SELECT EXISTS (SELECT 1 FROM due_business WHERE due_at <= @now)",
  "SELECT min(due) AS due FROM (SELECT min(run_at) AS due FROM job",
  // On SQLite alone: nothing runs at the start of its process.
  "UPDATE job SET lease = NULL, lease_until = NULL, run_at = @now WHERE lease IS NOT NULL",
  // A process ends generations of all businesses whose process was lost.
  "generation g WHERE g.lease IS NOT NULL AND (g.lease_until <",
  "SELECT pg_advisory_xact_lock",
  "SELECT value FROM epoch",
  "UPDATE epoch SET value = value",
  // Dropped blocks of all boards are erased in turn.
  "FROM posting_block WHERE live = ${DROPPED}",
  "FROM posting_block AS k WHERE live = ${DROPPED}",
  // The secret key of the install encrypts the secrets of all businesses.
  "FROM secret_key",
  "INSERT INTO secret_key",
  "SELECT business_id, sealed_secret FROM webhook",
  // One model computes the vectors of all businesses, so it changes for all of them.
  "FROM vector_model",
  "vector_model WHERE is_on",
  "UPDATE vector_model SET",
  "INSERT INTO vector_model",
  "LOCK TABLE vector_model",
  // Progress is read at once for all watched boards.
  "progress WHERE until >= @now",
  // A backup has all businesses, so its schedule belongs to the install.
  "backup_schedule WHERE id = 1",
  "INSERT INTO backup_schedule",
  "UPDATE backup_schedule SET",
  "FROM backup_run",
  "INSERT INTO backup_run",
  "UPDATE backup_run SET",
];

/** Fragments of statements that include the business: conditions of the dialect, and parts checked separately. */
const HAS_BUSINESS_WITHIN =
  /\$\{(isOf(Board|Block|Tiles)|isInGroup|boardColumns|counts|boardParams|ofBoard|isOwn|isWaiting|isOld|condition|where|select|batch|from|names|livePostings|hasConnectedTile|\w+Tiles)\b/;

/** The string constants of a source text. */
const constantsIn = (source: string): [string, string][] =>
  [...source.matchAll(/const ([A-Z_]+) =\s*(["`])((?:(?!\2).)*)\2/gs)].map(([, name = "", , text = ""]) => [name, text]);

/**
 * The statements of a source text, with its own constants and those that other files export inserted: string literals that start with an SQL verb, and arguments
 * of `Mapping.find` and `list`, which start with a table.
 */
function statementsIn(source: string, exported: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const constants = new Map([...exported, ...constantsIn(source)]);
  for (const [, , text = ""] of source.matchAll(/(["`])((?:(?!\1)[^\\]|\\.)*)\1/gs)) {
    if (/^\s*((SELECT|INSERT|UPDATE|DELETE|WITH|LOCK)\s|[a-z_]+ ([a-z]+ )?(JOIN .*)?(WHERE|ORDER BY) )/s.test(text))
      found.push(
        text
          .replaceAll(/\$\{([A-Z_]+)\}/g, (all, name: string) => constants.get(name) ?? all)
          .replaceAll(/\s+/g, " ")
          .trim(),
      );
  }
  return found;
}

it("all tables on PostgreSQL have keys that start with business_id, so that they can be sharded by it", async () => {
  const database = await newMigratedDatabase();
  const client = new Client(database.url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  const { rows } = await client.query<{ name: string; index: string; first: string }>(
    `SELECT t.relname AS name, i.relname AS index, a.attname AS first FROM pg_index x
       JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
       JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0] WHERE x.indisunique OR x.indisprimary`,
  );
  const tables = rows.filter(
    ({ name }) =>
      !["business", "migration", "transfer", "vector_model", "backup_schedule", "backup_run", "epoch", "secret_key", "feed"].includes(name),
  );
  expect(tables.length).toBeGreaterThanOrEqual(12);
  for (const { index, first } of tables) expect(`${index}: ${first}`).toBe(`${index}: business_id`);
});

it("tables on PostgreSQL are always queried by business, except for lookups that find it", () => {
  let seen = 0;
  const files = ["postgres", "sql"].flatMap((folder) => listSources(folder).map((file) => `${folder}/${file}`));
  const sources = files.map((file) => ({ file, source: readFileSync(join(ROOT, file), "utf8") }));
  const exported = new Map(sources.flatMap(({ source }) => constantsIn(source.replaceAll(/^const /gm, ""))));
  for (const { file, source } of sources) {
    for (const statement of statementsIn(source, exported)) {
      seen++;
      const isLed = /business_id/.test(statement) || HAS_BUSINESS_WITHIN.test(statement);
      const isKnown = MAY_ASK_ALL.some((start) => statement.includes(start));
      expect(isLed || isKnown, `${file}: ${statement}`).toBe(true);
    }
  }
  expect(seen).toBeGreaterThan(80);
});

it("the folders of the engines have files of the same names, so that counterparts are easy to find", () => {
  const alone = {
    // What a single process can count by itself.
    postgres: ["adapters/rate-limits.ts", "search/tile-claims.ts"],
    // What may be wrong with a file, and its size.
    sqlite: [
      ...["failure", "free-pages", "inspect", "probe", "reserve", "rewrite"].map((name) => `opening/${name}.ts`),
      ...["index-guard", "index-tables", "repair-index", "repair-thread"].map((name) => `search/${name}.ts`),
    ],
  };
  const counterparts = (engine: keyof typeof alone) => listSources(engine).filter((name) => !alone[engine].includes(name));
  expect(counterparts("postgres")).toEqual(counterparts("sqlite"));
});
