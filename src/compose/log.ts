import { Writable } from "node:stream";
import { type Logger, pino } from "pino";
import type { RequestLine } from "#domain/core/system.ts";
import { type LogDestination, createLogDestination } from "./log-destination.ts";

/** Keys, webhook secrets and credentials in addresses never reach a line, wherever they came from. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/tsr_[0-9A-Za-z]{8,}/g, "tsr_[hidden]"],
  [/whsec_[0-9A-Za-z+/=]{8,}/g, "whsec_[hidden]"],
  [/(https?:\/\/)[^\s/@"\\]+@/g, "$1[hidden]@"],
];

/** What every secret has about it; nearly no line has it. */
const SUSPECT = /tsr_|whsec_|:\/\//;

export const hideSecrets = (line: string): string =>
  SUSPECT.test(line) ? SECRETS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line) : line;

/** Request lines are written together once there are so many characters of them (a write wakes a thread, 100 µs), or after so many milliseconds. */
const BATCH_CHARACTERS = 64_000;
const BATCH_MS = 100;

/** ISO 8601 with milliseconds, made once a millisecond. */
function createTimestamp(): () => string {
  let last = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

export type ServiceLog = {
  readonly log: Logger;
  /** Writes the line of one call. */
  readonly logRequest: (line: RequestLine) => void;
  /** How many lines could not be written since the start. */
  readonly droppedLines: () => number;
};

/** Structured lines on stdout; on a terminal they are pretty. Lines that can't be written are dropped and counted. */
export async function createLog(level: string): Promise<ServiceLog> {
  const timestamp = createTimestamp();
  const lines = createBatch((text) => target.write(text));
  const destination = createLogDestination({ fd: 1, describeLoss: (count) => lossLine(count, timestamp()) });
  // After the listener of `lines`, which writes to it.
  process.once("exit", destination.flushSync);
  // Loaded only for a person: it is 8 MB that a service never needs.
  const target = process.stdout.isTTY
    ? (await import("pino-pretty")).default({ colorize: true, ignore: "pid,hostname", destination: asStream(destination) })
    : destination;
  const log = pino(
    {
      level,
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite(line) {
          // What happened before comes before.
          lines.flush();
          return hideSecrets(line);
        },
      },
    },
    target,
  );
  const droppedLines = destination.dropped;
  if (!log.isLevelEnabled("info")) return { log, logRequest: () => {}, droppedLines };
  if (process.stdout.isTTY) return { log, logRequest: (line) => log.info(line, "request"), droppedLines };
  // Past pino, whose way for lines of any kind costs 8 µs of the 42 that a short call takes: here nothing is to be escaped or hidden.
  return { log, logRequest: (line) => lines.add(requestLine(line, timestamp())), droppedLines };
}

const asStream = (destination: LogDestination): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      destination.write(chunk.toString());
      done();
    },
  });

const lossLine = (count: number, time: string): string =>
  `{"level":"warn"${time},"dropped":${count},"msg":"Log lines were lost because they could not be written. Check the disk or the reader of standard output."}\n`;

/** Gathers lines; pino's destination would measure all it has gathered anew for each line, which costs 4 µs. */
function createBatch(write: (text: string) => void): { add(line: string): void; flush(): void } {
  let text = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (text === "") return;
    const batch = text;
    text = "";
    write(batch);
  };
  // Before pino's own listener, which writes out what its destination holds.
  process.once("exit", flush);
  return {
    add(line) {
      text += line;
      if (text.length >= BATCH_CHARACTERS) flush();
      else timer ??= setTimeout(flush, BATCH_MS).unref();
    },
    flush,
  };
}

const requestLine = ({ requestId, method, route, status, ms, key, member, business }: RequestLine, time: string): string => {
  const caller = key === undefined ? (member === undefined ? "" : `,"member":"${member}"`) : `,"key":"${key}"`;
  const of = business === undefined ? "" : `,"business":"${business}"`;
  return `{"level":"info"${time},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${ms}${caller}${of},"msg":"request"}\n`;
};
