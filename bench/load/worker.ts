import { createRandom } from "../output/random-text.ts";
import { ClientConnection, type Sender } from "./http-client-connection.ts";
import { Connection } from "./socket-connection.ts";
import type { LoadJob, LoadResult } from "./load-job.ts";
import { LatencyRecorder } from "./latency-recorder.ts";
import { type Request, createRequests } from "./requests.ts";

const SEED = 20_260_131;
/** Responses that arrive during a sleep are seen after it, which adds at most 0.1 ms to their latency. */
const MIN_SLEEP_MS = 0.02;
const MAX_SLEEP_MS = 0.1;

/** Runs one job of the load generator, in a separate process. */
export async function serve(job: LoadJob): Promise<LoadResult> {
  const failure = Promise.withResolvers<never>();
  const open = (): Promise<Sender> | Sender =>
    job.usesHttpClient === true ? new ClientConnection(job.port, failure.reject) : Connection.open(job.port, failure.reject);
  const connections = await Promise.all(Array.from({ length: job.connections }, open));
  const recorder = new LatencyRecorder(job.pid);
  const next = createRequests(job.targets, SEED);
  const clock = { isOver: false };
  const begin = setTimeout(() => recorder.startWindow(), job.warmSeconds * 1_000);
  const end = setTimeout(
    () => {
      recorder.endWindow();
      clock.isOver = true;
    },
    (job.warmSeconds + job.seconds) * 1_000,
  );
  const runLoop = job.rate === undefined ? runClosedLoop : runOpenLoop;
  try {
    await Promise.race([runLoop({ job, connections, recorder, next, clock, fail: failure.reject }), failure.promise]);
    return recorder.result();
  } finally {
    clearTimeout(begin);
    clearTimeout(end);
    clock.isOver = true;
    for (const connection of connections) connection.close();
  }
}

type LoopOptions = {
  readonly job: LoadJob;
  readonly connections: readonly Sender[];
  readonly recorder: LatencyRecorder;
  readonly next: () => Request;
  readonly clock: { readonly isOver: boolean };
  readonly fail: (error: Error) => void;
};

const requestFailedError = (name: string, status: number): Error => new Error(`"${name}" returned status ${status} instead of 200.`);

/**
 * Sends the next request of a connection after each response. The loop spins, because waking a sleeping client costs the server CPU time
 * on the same machine; only the slower server would pay it.
 */
async function runClosedLoop({ connections, recorder, next, clock, fail }: LoopOptions): Promise<void> {
  const drive = (connection: Sender): Promise<void> =>
    new Promise((resolve) => {
      const sendNext = (): void => {
        if (clock.isOver) return resolve();
        const request = next();
        const due = performance.now();
        connection.send(request, (status) => {
          if (status !== 200) return fail(requestFailedError(request.name, status));
          recorder.recordResponse(request.name, due, performance.now());
          sendNext();
        });
      };
      sendNext();
    });
  const spin = (): void => void (clock.isOver || setImmediate(spin));
  spin();
  await Promise.all(connections.map(drive));
}

/**
 * Requests are due at random times with a fixed mean rate. Without a free connection they are queued; latency counts from the due time, so a
 * slow server cannot lower the load. Timers are too coarse. A spinning loop would occupy one of two processors, and the threads of
 * the server would compete for the other. The loop therefore sleeps in short steps.
 */
function runOpenLoop({ job, connections, recorder, next, clock, fail }: LoopOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const gapMs = 1_000 / (job.rate as number);
  const random = createRandom(SEED);
  const sleepCell = new Int32Array(new SharedArrayBuffer(4));
  const idle = [...connections];
  const queue: number[] = [];
  let inFlight = 0;
  let due = performance.now();

  const send = (): void => {
    while (queue.length > 0 && idle.length > 0) {
      const dueAt = queue.shift() as number;
      const connection = idle.pop() as Sender;
      const request = next();
      inFlight++;
      connection.send(request, (status) => {
        if (status !== 200) return fail(requestFailedError(request.name, status));
        recorder.recordResponse(request.name, dueAt, performance.now());
        inFlight--;
        idle.push(connection);
        send();
      });
    }
  };
  const tick = (): void => {
    const early = due - performance.now();
    if (early > MIN_SLEEP_MS) Atomics.wait(sleepCell, 0, 0, Math.min(early, MAX_SLEEP_MS));
    const now = performance.now();
    while (due <= now && !clock.isOver) {
      recorder.recordDue(due, now);
      queue.push(due);
      due -= Math.log(1 - random()) * gapMs;
    }
    send();
    if (clock.isOver && queue.length === 0 && inFlight === 0) resolve();
    else setImmediate(tick);
  };
  tick();
  return promise;
}
