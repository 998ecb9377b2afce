/** Runs a test migration on an existing database on request, so that several processes do it at once; prints the steps it ran. */
import { Connection } from "#storage/sqlite/engine/database.ts";
import { migrate, readMigrations } from "#storage/sqlite/engine/migrate.ts";
import { SECOND } from "../second-step.ts";
import { startTogether } from "./start-together.ts";

const db = new Connection(process.argv[2]!);
await startTogether();
process.stdout.write(`${JSON.stringify(migrate(db, [...readMigrations(), SECOND]))}\n`);
db.close();
