/**
 * Writes request lines without pino and in batches. Pino's path for arbitrary lines takes 8 µs of the 42 µs of a short call, its own
 * batching measures the whole batch again for each line (4 µs), and each write to the descriptor wakes a thread (100 µs).
 */
import type { RequestLine } from "#domain/core/system.ts";

/** A batch is written at this size or age, whichever comes first. */
const MAX_BATCH_CHARACTERS = 64_000;
const MAX_BATCH_MS = 100;

export type RequestLines = {
  add(line: RequestLine): void;
  /** Writes the batch now. */
  flush(): void;
};

/** Request lines hold ids, routes and numbers only, so nothing needs to be escaped or hidden. */
export function createRequestLines(write: (text: string) => void, timestamp: () => string): RequestLines {
  // Bytes, since a text of so many parts is put together only when it is written, long after its parts have left the processor's cache.
  const batch = Buffer.allocUnsafe(2 * MAX_BATCH_CHARACTERS);
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (length === 0) return;
    const text = batch.toString("latin1", 0, length);
    length = 0;
    write(text);
  };
  // Before pino's own listener, which writes what its destination holds.
  process.once("exit", flush);
  return {
    add(line) {
      length += batch.write(format(line, timestamp()), length, "latin1");
      if (length >= MAX_BATCH_CHARACTERS) flush();
      else timer ??= setTimeout(flush, MAX_BATCH_MS).unref();
    },
    flush,
  };
}

/** Returns the `time` field of a line, ISO 8601 with milliseconds; formatted once a millisecond, since a date costs 0.5 µs. */
export function createTimestamp(): () => string {
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

function format(line: RequestLine, time: string): string {
  const { level, requestId, method, route, status, ms, code, business } = line;
  const error = code === undefined ? "" : `,"code":"${code}"`;
  const caller = formatId("key", line.key) + formatId("member", line.member) + formatId("address", line.address);
  const owner = formatId("business", business);
  return `{"level":"${level}"${time},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${ms}${error}${caller}${owner},"msg":"request"}\n`;
}

const formatId = (name: string, id: string | undefined): string => (id === undefined ? "" : `,"${name}":"${id}"`);
