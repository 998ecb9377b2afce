import { openStore } from "#storage/sqlite/store.ts";
import { describeStore } from "./describe-store.ts";

describeStore("the store on SQLite", async () => openStore(":memory:"));
