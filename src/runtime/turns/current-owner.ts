import { AsyncLocalStorage } from "node:async_hooks";
import type { Owner } from "./fair-queue.ts";

const storage = new AsyncLocalStorage<Owner | undefined>();

/** Runs `work` for this owner, which applies to everything that it starts; undefined for work of the server itself. */
export const runFor = <Result>(owner: Owner | undefined, work: () => Result): Result => storage.run(owner, work);

/** Returns the owner of the call that is being handled, whose share of connections the running code takes. */
export const getCurrentOwner = (): Owner | undefined => storage.getStore();
