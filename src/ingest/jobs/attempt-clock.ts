/**
 * Counts the time of one attempt, and stands still while the attempt waits for a resource that others use. All time limits of an
 * attempt are measured by its clock, so that such a wait is charged to none of them. Times are in milliseconds.
 */
export type AttemptClock = {
  /** Time since the attempt began, without its pauses. */
  now(): number;
  /** Stops the clock until the returned function is called. Pauses may overlap: the clock goes on after the last of them. */
  pause(): () => void;
  /** Calls back once, after this much time of the clock. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
};

/** How long the clock of one attempt stands still at most, all pauses together; after that, waiting counts as any other time. */
export const MAX_PAUSED_MS = 300_000;

type Alarm = { readonly at: number; readonly callback: () => void; timer: NodeJS.Timeout | null };

export function createAttemptClock(maxPausedMs: number = MAX_PAUSED_MS): AttemptClock {
  const alarms = new Set<Alarm>();
  const state = {
    /** Counted up to `since`, the time of the last start or stop. */
    counted: 0,
    paused: 0,
    since: performance.now(),
    pauses: 0,
    /** Set while the clock stands still. */
    limit: null as NodeJS.Timeout | null,
  };
  const now = (): number => (state.limit === null ? state.counted + performance.now() - state.since : state.counted);

  const start = (alarm: Alarm): void => {
    alarm.timer = setTimeout(
      () => {
        alarms.delete(alarm);
        alarm.callback();
      },
      Math.max(1, alarm.at - now()),
    );
  };
  const stopClock = (): void => {
    const left = maxPausedMs - state.paused;
    if (state.limit !== null || left <= 0) return;
    state.counted = now();
    state.since = performance.now();
    state.limit = setTimeout(goOn, left);
    for (const { timer } of alarms) if (timer !== null) clearTimeout(timer);
  };
  function goOn(): void {
    if (state.limit === null) return;
    clearTimeout(state.limit);
    state.limit = null;
    state.paused += performance.now() - state.since;
    state.since = performance.now();
    for (const alarm of alarms) start(alarm);
  }

  return {
    now,
    pause() {
      state.pauses++;
      stopClock();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        if (--state.pauses === 0) goOn();
      };
    },
    after(ms, callback) {
      const alarm: Alarm = { at: now() + ms, callback, timer: null };
      alarms.add(alarm);
      if (state.limit === null) start(alarm);
      return () => {
        alarms.delete(alarm);
        if (alarm.timer !== null) clearTimeout(alarm.timer);
      };
    },
  };
}
