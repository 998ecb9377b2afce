/**
 * Creates a counter of work on the event loop. It returns whether the turn has done its share of `unitsPerTurn`; the caller then awaits
 * `setImmediate`, so that other calls run.
 */
export function createTurnCounter(unitsPerTurn: number): (units?: number) => boolean {
  let done = 0;
  return (units = 1) => {
    done += units;
    if (done < unitsPerTurn) return false;
    done = 0;
    return true;
  };
}
