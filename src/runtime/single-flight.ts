import { waitOrAbort } from "./wait.ts";

/** Lets callers that request the same work at the same time share one run of it. */
export type SingleFlight<T> = {
  /**
   * Returns the result of the work that already runs under this key, or starts it. Throws the errors of the work, and the signal's reason.
   * The work is aborted when all its callers have aborted.
   */
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
};

type Flight<T> = { readonly result: Promise<T>; readonly controller: AbortController; callers: number };

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

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
    async run(key, signal, work) {
      signal.throwIfAborted();
      const flight = flights.get(key) ?? start(key, work);
      flight.callers++;
      try {
        return await waitOrAbort(flight.result, signal);
      } finally {
        flight.callers--;
        if (flight.callers === 0 && signal.aborted) {
          forget(key, flight);
          flight.controller.abort(signal.reason);
        }
      }
    },
  };
}
