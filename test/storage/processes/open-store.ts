/** Opens the store on request, so that several processes do it at once; prints the number of businesses. */
import { openStore } from "#storage/sqlite/store.ts";
import { startTogether } from "./start-together.ts";

await startTogether();
const store = openStore(process.argv[2]!);
process.stdout.write(`${(await store.boards.businesses()).length}\n`);
await store.close();
