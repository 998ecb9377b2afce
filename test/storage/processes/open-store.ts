/** Opens the store when told, so that several do it at once; prints how many businesses it holds. */
import { openStore } from "#storage/sqlite/store.ts";
import { startTogether } from "./start-together.ts";

await startTogether();
const store = openStore(process.argv[2]!);
process.stdout.write(`${(await store.boards.businesses()).length}\n`);
await store.close();
