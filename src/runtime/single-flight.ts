import { waitOrAbort } from "./wait.ts";

/** Lets callers that request the same work at the same time share one run of it. */
export type SingleFlight<T> = {
  /**
   * Returns the result of the work that already runs under this key, or starts it. Throws the errors of the work, the signal's reason, and
   * `refuse()` while too many callers of this owner wait. The work is aborted when all its callers have aborted.
   */
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>, owner?: string): Promise<T>;
};

export type SingleFlightOptions = {
  /** The maximum of waiting callers of one owner, under all keys. No limit by default. */
  readonly maxCallers?: number;
  /** Creates the error for callers beyond this limit. */
  readonly refuse?: () => Error;
};

type Flight<T> = { readonly result: Promise<T>; readonly controller: AbortController; callers: number };

export function createSingleFlight<T>({ maxCallers = Infinity, refuse }: SingleFlightOptions = {}): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();
  const callers = new Map<string, number>();

  const forget = (key: string, flight: Flight<T>): void => {
    if (flights.get(key) === flight) flights.delete(key);
  };

  const start = (key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const controller = new AbortController();
    const result = (async () => work(controller.signal))().finally(() => forget(key, flight));
    // Callers get the error through their own promises. Without callers, it would be an unhandled rejection.
    result.catch(() => {});
    const flight: Flight<T> = { result, controller, callers: 0 };
    flights.set(key, flight);
    return flight;
  };

  return {
    async run(key, signal, work, owner = "") {
      signal.throwIfAborted();
      const before = callers.get(owner) ?? 0;
      if (before >= maxCallers) throw refuse?.() ?? new Error("Too many callers are waiting.");
      const flight = flights.get(key) ?? start(key, work);
      callers.set(owner, before + 1);
      flight.callers++;
      try {
        return await waitOrAbort(flight.result, signal);
      } finally {
        const left = (callers.get(owner) ?? 0) - 1;
        if (left > 0) callers.set(owner, left);
        else callers.delete(owner);
        flight.callers--;
        if (flight.callers === 0 && signal.aborted) {
          forget(key, flight);
          flight.controller.abort(signal.reason);
        }
      }
    },
  };
}
