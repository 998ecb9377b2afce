import { write as writeToFile, writeSync } from "node:fs";

/** Writes log lines to a file descriptor. Failures lose lines, but never end the process. */
export type LogDestination = {
  /** Queues one or more whole lines, each with its line feed. */
  write(text: string): void;
  /** Writes all queued lines, for the end of the process. Never throws. */
  flushSync(): void;
  /** The number of lines lost since the start. */
  readonly dropped: () => number;
};

export type LogDestinationOptions = {
  readonly fd: number;
  /** Returns the line to write once writing works again; `count` lines were lost since the last such line. */
  readonly describeLoss: (count: number) => string;
  /** Characters that wait for a slow reader at most; further lines are lost. Default 16 Mi. */
  readonly maxPending?: number;
  /** `fs.write`, or a replacement in tests. */
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
/** How long to wait for a pipe with a slow reader, and how often at the end of the process. */
const RETRY_DELAY_MS = 50;
const MAX_EXIT_RETRIES = 20;
const LINE_FEED = 10;

/** Opens a destination on an open descriptor. A write that fails (full disk, closed pipe) drops its lines and counts them. */
export function createLogDestination(options: LogDestinationOptions): LogDestination {
  const destination = new DescriptorDestination(options);
  return {
    write: (text) => destination.write(text),
    flushSync: () => destination.flushSync(),
    dropped: () => destination.dropped,
  };
}

/** A buffer that is being written, from the byte at `offset` on. */
type InFlight = { readonly buffer: Buffer; offset: number };

class DescriptorDestination {
  readonly #fd: number;
  readonly #describeLoss: (count: number) => string;
  readonly #maxPending: number;
  readonly #write: Write;
  #pending = "";
  /** A failed write cut off a line, which has to be ended before the next one. */
  #isMidLine = false;
  #unreported = 0;
  #isFlushScheduled = false;
  #inFlight: InFlight | null = null;
  dropped = 0;

  constructor({ fd, describeLoss, maxPending = MAX_PENDING_CHARACTERS, write = writeToFile }: LogDestinationOptions) {
    this.#fd = fd;
    this.#describeLoss = describeLoss;
    this.#maxPending = maxPending;
    this.#write = write;
  }

  write(text: string): void {
    if (this.#pending.length + text.length > this.#maxPending) return this.#drop(countLines(Buffer.from(text)));
    this.#pending += text;
    this.#flushSoon();
  }

  flushSync(): void {
    // The unfinished write may complete as well, which duplicates its lines. That is better than losing them.
    const unfinished = this.#inFlight;
    this.#inFlight = null;
    if (unfinished !== null) this.#finishSync(unfinished.buffer, unfinished.offset);
    while (this.#pending !== "") if (!this.#finishSync(this.#takePending(), 0)) break;
  }

  /** Waits for the next tick, so that a `flushSync` right after a line writes it, and only once. */
  #flushSoon(): void {
    if (this.#isFlushScheduled || this.#inFlight !== null) return;
    this.#isFlushScheduled = true;
    process.nextTick(() => {
      this.#isFlushScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#inFlight !== null || this.#pending === "") return;
    this.#inFlight = { buffer: this.#takePending(), offset: 0 };
    this.#writeAll(this.#inFlight);
  }

  #writeAll(part: InFlight): void {
    const { buffer, offset } = part;
    this.#write(this.#fd, buffer, offset, buffer.length - offset, null, (error, written) => {
      // `flushSync` has taken over.
      if (this.#inFlight !== part) return;
      if (error !== null && isBusy(error)) {
        setTimeout(() => this.#inFlight === part && this.#writeAll(part), RETRY_DELAY_MS);
        return;
      }
      if (error === null) part.offset += written;
      if (error === null && part.offset < buffer.length) return this.#writeAll(part);
      if (error === null) this.#succeed();
      else this.#fail(buffer, offset);
      this.#inFlight = null;
      this.#flush();
    });
  }

  /** Writes a buffer from `offset` on. Returns false when a part was not written; its lines are counted. */
  #finishSync(buffer: Buffer, offset: number): boolean {
    const end = writeAllSync(this.#fd, buffer, offset);
    const isComplete = end === buffer.length;
    if (isComplete) this.#succeed();
    else this.#fail(buffer, end);
    return isComplete;
  }

  #takePending(): Buffer {
    const text = `${this.#isMidLine ? "\n" : ""}${this.#pending}`;
    this.#pending = "";
    return Buffer.from(text);
  }

  #succeed(): void {
    this.#isMidLine = false;
    if (this.#unreported === 0) return;
    this.#pending = this.#describeLoss(this.#unreported) + this.#pending;
    this.#unreported = 0;
  }

  #fail(buffer: Buffer, offset: number): void {
    // The line feed that was to end an earlier line does not count as a line.
    const unwritten = buffer.subarray(offset === 0 && this.#isMidLine ? 1 : offset);
    if (offset > 0) this.#isMidLine = buffer[offset - 1] !== LINE_FEED;
    this.#drop(countLines(unwritten));
  }

  #drop(lines: number): void {
    this.dropped += lines;
    this.#unreported += lines;
  }
}

const isBusy = (error: NodeJS.ErrnoException): boolean => error.code === "EAGAIN" || error.code === "EBUSY";

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_FEED) lines++;
  return lines;
}

/** Returns the byte up to which the buffer was written. */
function writeAllSync(fd: number, buffer: Buffer, begin: number): number {
  let offset = begin;
  for (let retries = 0; offset < buffer.length && retries < MAX_EXIT_RETRIES;) {
    try {
      offset += writeSync(fd, buffer, offset);
    } catch (error) {
      if (!isBusy(error as NodeJS.ErrnoException)) return offset;
      retries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS);
    }
  }
  return offset;
}
