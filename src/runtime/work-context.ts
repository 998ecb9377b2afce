import { AsyncLocalStorage } from "node:async_hooks";

/** What asynchronous work was started for: the job that reads a link, or a call of the API. */
export type WorkContext = { readonly kind: "job"; readonly jobId: string } | { readonly kind: "call" };

const storage = new AsyncLocalStorage<WorkContext | undefined>();

/** Runs `work`; everything that it starts (timers, sockets, promises) belongs to `context`. */
export const runInContext = <Result>(context: WorkContext, work: () => Result): Result => storage.run(context, work);

/** Runs `work` outside of every context, for what is shared by later jobs and calls, such as a thread. */
export const runDetached = <Result>(work: () => Result): Result => storage.run(undefined, work);

/**
 * The context of the code that runs now; undefined where there is none. In a handler of `uncaughtException`, also of a rejected
 * promise, it is the context of the code that failed.
 */
export const currentContext = (): WorkContext | undefined => storage.getStore();
