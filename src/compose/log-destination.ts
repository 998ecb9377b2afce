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
  const state = { pending: "", isWriting: false, isMidLine: false, dropped: 0, unreported: 0 };

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

  const writeAll = (buffer: Buffer, offset: number): void => {
    write(fd, buffer, offset, buffer.length - offset, null, (error, written) => {
      if (error !== null && isBusy(error)) return void setTimeout(() => writeAll(buffer, offset), RETRY_DELAY_MS);
      if (error === null && offset + written < buffer.length) return writeAll(buffer, offset + written);
      if (error === null) succeed();
      else fail(buffer, offset);
      state.isWriting = false;
      flush();
    });
  };

  const flush = (): void => {
    if (state.isWriting || state.pending === "") return;
    state.isWriting = true;
    writeAll(next(), 0);
  };

  return {
    write(text) {
      if (state.pending.length + text.length > maxPending) return drop(countLines(Buffer.from(text)));
      state.pending += text;
      flush();
    },
    flushSync() {
      if (state.pending !== "") writeAllSync(fd, next());
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

function writeAllSync(fd: number, buffer: Buffer): void {
  let offset = 0;
  for (let tries = 0; offset < buffer.length && tries < MAX_EXIT_RETRIES;) {
    try {
      offset += writeSync(fd, buffer, offset);
    } catch (error) {
      if (!isBusy(error as NodeJS.ErrnoException)) return;
      tries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS);
    }
  }
}
