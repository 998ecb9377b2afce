import { randomFrom } from "../output/random-text.ts";
import { ClientConnection, type Sender } from "./http-client-connection.ts";
import { Connection } from "./socket-connection.ts";
import type { Job, Outcome } from "./load-job.ts";
import { Recorder } from "./latency-recorder.ts";
import { type Request, createRequests } from "./requests.ts";

const SEED = 20_260_131;
/** Answers that come during a sleep are noticed after it, which counts against the server: at most 0.1 ms. */
const MIN_SLEEP_MS = 0.02;
const MAX_SLEEP_MS = 0.1;

/** The load generator, in a process of its own: runs one job. */
export async function serve(job: Job): Promise<Outcome> {
  const fault = Promise.withResolvers<never>();
  const open = (): Promise<Sender> | Sender =>
    job.isOrdinaryClient === true ? new ClientConnection(job.port, fault.reject) : Connection.open(job.port, fault.reject);
  const connections = await Promise.all(Array.from({ length: job.connections }, open));
  const recorder = new Recorder(job.pid);
  const next = createRequests(job.targets, SEED);
  const clock = { isOver: false };
  const begin = setTimeout(() => recorder.begin(), job.warmSeconds * 1_000);
  const end = setTimeout(
    () => {
      recorder.end();
      clock.isOver = true;
    },
    (job.warmSeconds + job.seconds) * 1_000,
  );
  const drive = job.rate === undefined ? driveClosed : driveOpen;
  try {
    await Promise.race([drive({ job, connections, recorder, next, clock, fail: fault.reject }), fault.promise]);
    return recorder.outcome();
  } finally {
    clearTimeout(begin);
    clearTimeout(end);
    clock.isOver = true;
    for (const connection of connections) connection.close();
  }
}

type Drive = {
  readonly job: Job;
  readonly connections: readonly Sender[];
  readonly recorder: Recorder;
  readonly next: () => Request;
  readonly clock: { readonly isOver: boolean };
  readonly fail: (error: Error) => void;
};

const refused = (name: string, status: number): Error => new Error(`"${name}" was answered with ${status}.`);

/**
 * Each connection asks again as soon as it is answered. The loop spins here too: on one machine a server pays for waking up a client
 * that sleeps, which would be charged to the slower server alone.
 */
async function driveClosed({ connections, recorder, next, clock, fail }: Drive): Promise<void> {
  const drive = (connection: Sender): Promise<void> =>
    new Promise((resolve) => {
      const ask = (): void => {
        if (clock.isOver) return resolve();
        const request = next();
        const due = performance.now();
        connection.send(request, (status) => {
          if (status !== 200) return fail(refused(request.name, status));
          recorder.noteAnswer(request.name, due, performance.now());
          ask();
        });
      };
      ask();
    });
  const spin = (): void => void (clock.isOver || setImmediate(spin));
  spin();
  await Promise.all(connections.map(drive));
}

/**
 * Requests fall due at random times of a fixed mean rate. One that finds no free connection waits in line, and its latency counts
 * from when it was due, so that a slow server can't hide by slowing down the asking. Timers are too coarse, and a loop that spins would take a whole
 * processor, so that on two of them every thread of the server beside its first one would stand in that one's way: it sleeps in steps.
 */
function driveOpen({ job, connections, recorder, next, clock, fail }: Drive): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const gapMs = 1_000 / (job.rate as number);
  const random = randomFrom(SEED);
  const bed = new Int32Array(new SharedArrayBuffer(4));
  const idle = [...connections];
  const line: number[] = [];
  let underWay = 0;
  let due = performance.now();

  const send = (): void => {
    while (line.length > 0 && idle.length > 0) {
      const since = line.shift() as number;
      const connection = idle.pop() as Sender;
      const request = next();
      underWay++;
      connection.send(request, (status) => {
        if (status !== 200) return fail(refused(request.name, status));
        recorder.noteAnswer(request.name, since, performance.now());
        underWay--;
        idle.push(connection);
        send();
      });
    }
  };
  const turn = (): void => {
    const early = due - performance.now();
    if (early > MIN_SLEEP_MS) Atomics.wait(bed, 0, 0, Math.min(early, MAX_SLEEP_MS));
    const now = performance.now();
    while (due <= now && !clock.isOver) {
      recorder.noteDue(due, now);
      line.push(due);
      due -= Math.log(1 - random()) * gapMs;
    }
    send();
    if (clock.isOver && line.length === 0 && underWay === 0) resolve();
    else setImmediate(turn);
  };
  turn();
  return promise;
}
