import { write as writeToFile, writeSync } from "node:fs";

/** Where log lines go: a file descriptor whose failures lose lines, never the process. */
export type LogDestination = {
  /** Takes one or more whole lines, each with its line feed, and returns at once. */
  write(text: string): void;
  /** Writes what still waits, for the end of the process. Never throws. */
  flushSync(): void;
  /** How many lines were lost since the start. */
  readonly dropped: () => number;
};

export type LogDestinationOptions = {
  readonly fd: number;
  /** The line written once writing works again; `count` lines were lost since the last one. */
  readonly describeLoss: (count: number) => string;
  /** Most characters that wait for a slow reader; what comes beyond them is lost. Default 16 Mi. */
  readonly maxPending?: number;
  /** `fs.write`, or what stands in for it in a test. */
  readonly write?: Write;
};

type Write = (
  fd: number,
  buffer: Buffer,
  offset: number,
  length: number,
  position: null,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

const MAX_PENDING_CHARACTERS = 16 * 1_048_576;
/** How long to wait for a pipe whose reader is slow, in milliseconds; at the end of the process at most this often. */
const RETRY_DELAY_MS = 50;
const MAX_EXIT_RETRIES = 20;
const LINE_FEED = 10;

/** Opens a destination on a descriptor that is open already. A write that fails (full disk, closed pipe) drops its lines and counts them. */
export function createLogDestination({
  fd,
  describeLoss,
  maxPending = MAX_PENDING_CHARACTERS,
  write = writeToFile,
}: LogDestinationOptions): LogDestination {
  const state = { pending: "", isMidLine: false, dropped: 0, unreported: 0 };
  let isDue = false;
  /** What is being written, from the byte at `offset` on; null between two writes. */
  let inFlight: { readonly buffer: Buffer; offset: number } | null = null;

  const drop = (lines: number): void => {
    state.dropped += lines;
    state.unreported += lines;
  };

  /** What is written next. A line that was cut off by a failure is ended first, so that the next one can be read. */
  const next = (): Buffer => {
    const text = `${state.isMidLine ? "\n" : ""}${state.pending}`;
    state.pending = "";
    return Buffer.from(text);
  };

  const fail = (rest: Buffer, offset: number): void => {
    // The line feed that was to end an earlier line is no line of its own.
    const unwritten = rest.subarray(offset === 0 && state.isMidLine ? 1 : offset);
    if (offset > 0) state.isMidLine = rest[offset - 1] !== LINE_FEED;
    drop(countLines(unwritten));
  };

  const succeed = (): void => {
    state.isMidLine = false;
    if (state.unreported === 0) return;
    state.pending = describeLoss(state.unreported) + state.pending;
    state.unreported = 0;
  };

  const writeAll = (part: { readonly buffer: Buffer; offset: number }): void => {
    const { buffer, offset } = part;
    write(fd, buffer, offset, buffer.length - offset, null, (error, written) => {
      // What the end of the process wrote already is nobody's any more.
      if (inFlight !== part) return;
      if (error !== null && isBusy(error)) return void setTimeout(() => inFlight === part && writeAll(part), RETRY_DELAY_MS);
      if (error === null) part.offset += written;
      if (error === null && part.offset < buffer.length) return writeAll(part);
      if (error === null) succeed();
      else fail(buffer, offset);
      inFlight = null;
      flush();
    });
  };

  // A tick later, so that `flushSync` right after a line writes it, and writes it once.
  const flushSoon = (): void => {
    if (isDue || inFlight !== null) return;
    isDue = true;
    process.nextTick(() => {
      isDue = false;
      flush();
    });
  };

  const flush = (): void => {
    if (inFlight !== null || state.pending === "") return;
    inFlight = { buffer: next(), offset: 0 };
    writeAll(inFlight);
  };

  /** Writes a buffer from `offset` on, or counts what is not written. */
  const finish = (buffer: Buffer, offset: number): boolean => {
    const reached = writeAllSync(fd, buffer, offset);
    const isWhole = reached === buffer.length;
    if (isWhole) succeed();
    else fail(buffer, reached);
    return isWhole;
  };

  return {
    write(text) {
      if (state.pending.length + text.length > maxPending) return drop(countLines(Buffer.from(text)));
      state.pending += text;
      flushSoon();
    },
    flushSync() {
      // Its write may be under way, so that it can arrive twice: better than not at all.
      const unfinished = inFlight;
      inFlight = null;
      if (unfinished !== null) finish(unfinished.buffer, unfinished.offset);
      while (state.pending !== "") if (!finish(next(), 0)) break;
    },
    dropped: () => state.dropped,
  };
}

const isBusy = (error: NodeJS.ErrnoException): boolean => error.code === "EAGAIN" || error.code === "EBUSY";

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_FEED) lines++;
  return lines;
}

/** Answers up to which byte the buffer was written. */
function writeAllSync(fd: number, buffer: Buffer, begin: number): number {
  let offset = begin;
  for (let tries = 0; offset < buffer.length && tries < MAX_EXIT_RETRIES;) {
    try {
      offset += writeSync(fd, buffer, offset);
    } catch (error) {
      if (!isBusy(error as NodeJS.ErrnoException)) return offset;
      tries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS);
    }
  }
  return offset;
}
