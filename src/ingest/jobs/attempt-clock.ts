/**
 * Measures the time of one attempt in milliseconds, and is paused while the attempt waits for a shared resource. All time limits of an
 * attempt use its clock, so that such waits do not count.
 */
export type AttemptClock = {
  /** Time since the attempt began, without pauses. */
  now(): number;
  /** Pauses the clock until the returned function is called. If pauses overlap, the clock resumes after the last of them. */
  pause(): () => void;
  /** Calls `callback` once, when `ms` have passed on this clock. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void;
};

/** Maximum sum of all pauses of one attempt. After that, the clock can't be paused. */
export const MAX_PAUSED_MS = 300_000;

type Alarm = { readonly at: number; readonly callback: () => void; timer: NodeJS.Timeout | null };

export function createAttemptClock(maxPausedMs: number = MAX_PAUSED_MS): AttemptClock {
  const alarms = new Set<Alarm>();
  const state = {
    /** Time counted before `since`, the last time at which the clock was paused or resumed. */
    countedMs: 0,
    pausedMs: 0,
    since: performance.now(),
    openPauses: 0,
    /** Set while the clock is paused; resumes it when `maxPausedMs` is used up. */
    resumeTimer: null as NodeJS.Timeout | null,
  };
  const now = (): number => (state.resumeTimer === null ? state.countedMs + performance.now() - state.since : state.countedMs);

  const schedule = (alarm: Alarm): void => {
    alarm.timer = setTimeout(
      () => {
        alarms.delete(alarm);
        alarm.callback();
      },
      Math.max(1, alarm.at - now()),
    );
  };
  const pauseClock = (): void => {
    const left = maxPausedMs - state.pausedMs;
    if (state.resumeTimer !== null || left <= 0) return;
    state.countedMs = now();
    state.since = performance.now();
    state.resumeTimer = setTimeout(resumeClock, left);
    for (const { timer } of alarms) if (timer !== null) clearTimeout(timer);
  };
  function resumeClock(): void {
    if (state.resumeTimer === null) return;
    clearTimeout(state.resumeTimer);
    state.resumeTimer = null;
    state.pausedMs += performance.now() - state.since;
    state.since = performance.now();
    for (const alarm of alarms) schedule(alarm);
  }

  return {
    now,
    pause() {
      state.openPauses++;
      pauseClock();
      let isResumed = false;
      return () => {
        if (isResumed) return;
        isResumed = true;
        if (--state.openPauses === 0) resumeClock();
      };
    },
    after(ms, callback) {
      const alarm: Alarm = { at: now() + ms, callback, timer: null };
      alarms.add(alarm);
      if (state.resumeTimer === null) schedule(alarm);
      return () => {
        alarms.delete(alarm);
        if (alarm.timer !== null) clearTimeout(alarm.timer);
      };
    },
  };
}
