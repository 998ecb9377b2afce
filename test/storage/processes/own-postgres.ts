/** Starts a server and never stops it; prints its address and data folder. */
import { Client } from "pg";
import { startPostgres } from "../../support/postgres/server.ts";

const server = await startPostgres();
const client = new Client({ connectionString: server.url });
await client.connect();
const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
process.stdout.write(`${server.url} ${rows[0]?.data_directory}\n`);
