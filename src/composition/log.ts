import { Writable } from "node:stream";
import { type Logger, pino } from "pino";
import type { RequestLine } from "#domain/core/system.ts";
import { type LogDestination, createLogDestination } from "./log-destination.ts";
import { createRequestLines, createTimestamp } from "./tuning/request-lines.ts";

/** API keys, webhook secrets and credentials in URLs are hidden in every line, wherever they came from. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/tsr_[0-9A-Za-z]{8,}/g, "tsr_[hidden]"],
  [/whsec_[0-9A-Za-z+/=]{8,}/g, "whsec_[hidden]"],
  [/(https?:\/\/)[^\s/@"\\]+@/g, "$1[hidden]@"],
];

/** A quick check before the patterns: every secret matches it, and nearly no line does. */
const MAY_HOLD_SECRET = /tsr_|whsec_|:\/\//;

export const hideSecrets = (line: string): string =>
  MAY_HOLD_SECRET.test(line) ? SECRETS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line) : line;

export type ServiceLog = {
  readonly log: Logger;
  /** Writes the line of one request. */
  readonly logRequest: (line: RequestLine) => void;
  /** How many lines could not be written since the start. */
  readonly droppedLines: () => number;
};

/** Writes JSON lines to standard output, or readable ones on a terminal. Lines that can't be written are dropped and counted. */
export async function createLog(level: string): Promise<ServiceLog> {
  const timestamp = createTimestamp();
  const requests = createRequestLines((text) => target.write(text), timestamp);
  const destination = createLogDestination({ fd: 1, describeLoss: (count) => lossLine(count, timestamp()) });
  // After the listener of `requests`, which writes to it.
  process.once("exit", destination.flushSync);
  // Loaded only for a terminal: it takes 8 MB that a service does not need.
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
          // Keeps the order of lines.
          requests.flush();
          return hideSecrets(line);
        },
      },
    },
    target,
  );
  const droppedLines = destination.dropped;
  if (!log.isLevelEnabled("info")) return { log, logRequest: () => {}, droppedLines };
  if (process.stdout.isTTY) return { log, logRequest: (line) => log.info(line, "request"), droppedLines };
  return { log, logRequest: requests.add, droppedLines };
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
