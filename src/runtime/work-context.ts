import { AsyncLocalStorage } from "node:async_hooks";
import type { Owner } from "./fair-queue.ts";

/** The origin of asynchronous work: an ingestion job, or a call of the API, whose owner is known once it is authenticated. */
export type WorkContext = { readonly kind: "job"; readonly jobId: string } | { readonly kind: "call"; readonly owner?: Owner };

const storage = new AsyncLocalStorage<WorkContext | undefined>();

/** Runs `work` in this context, which also applies to everything it starts, such as timers, sockets and promises. */
export const runInContext = <Result>(context: WorkContext, work: () => Result): Result => storage.run(context, work);

/** Runs `work` without a context. Use it for resources that several jobs and calls share, such as a thread. */
export const runDetached = <Result>(work: () => Result): Result => storage.run(undefined, work);

/**
 * Returns the context of the running code, or undefined without one. In a handler of `uncaughtException`, including unhandled rejections,
 * it is the context of the code that failed.
 */
export const currentContext = (): WorkContext | undefined => storage.getStore();
