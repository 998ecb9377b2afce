import { openPostgresStore } from "../support/postgres/store.ts";
import { describeStore } from "./describe-store.ts";

describeStore("the store on PostgreSQL", openPostgresStore);
