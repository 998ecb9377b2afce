import type { IncomingMessage } from "node:http";
import { AppError } from "#domain/core/errors/error.ts";
import { formatBytes } from "#domain/core/text.ts";
import { ByteCollector } from "#runtime/byte-collector.ts";
import { MIN_RATE, watchRate } from "#runtime/turns/rate-watch.ts";
import { yieldToOthers } from "#service/work-queue.ts";

/** Handling this many parts takes milliseconds. Others run before the next ones, since a part may be a single byte. */
const PARTS_PER_STEP = 1_000;
/** A body that is passed on as it arrives is received up to about this many bytes ahead. */
const MAX_AHEAD_BYTES = 65_536;

/**
 * Receives a body completely and passes it to `done`, or the error: `too_large` beyond `maxBytes`, `request_malformed` if it is not as
 * long as declared, that of the connection, or that of `hold`, which is called with the length so far before a part of a body of unknown
 * length is kept. Takes a callback, since a promise costs a turn of the event loop per call.
 */
export function receiveBody(
  raw: IncomingMessage,
  maxBytes: number,
  hold: (bytes: number) => void,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const declared = raw.headers["content-length"];
  if (Number(declared) > maxBytes) return done(tooLarge(maxBytes));
  const bytes = new ByteCollector();
  const end = (error: Error | null): void => {
    stop();
    const isComplete = declared === undefined || Number(declared) === bytes.size;
    if (error !== null) done(error);
    else if (isComplete) done(null, bytes.take());
    else done(new AppError("request_malformed", "The length of the request body differs from Content-Length."));
  };
  const add = (part: Buffer): void => {
    const size = bytes.size + part.length;
    if (size > maxBytes) return end(tooLarge(maxBytes));
    try {
      if (declared === undefined) hold(size);
      bytes.add(part);
    } catch (error) {
      end(error as Error);
    }
  };
  const stop = listenForParts(raw, add, end);
}

/**
 * Receives a body as fast as it is read. Throws the error of the connection, and `request_timeout` if the client sends less than
 * `minRate` while the server waits for it.
 */
export async function* receiveParts(raw: IncomingMessage, minRate = MIN_RATE): AsyncGenerator<Buffer, undefined> {
  const bytes = new ByteCollector();
  let ended: { readonly error: Error | null } | undefined;
  let changed = Promise.withResolvers<void>();
  let isNotified = false;
  // Parts that arrive in one turn are passed on together.
  const notify = (): void => {
    if (isNotified) return;
    isNotified = true;
    setImmediate(() => {
      isNotified = false;
      changed.resolve();
    });
  };
  const rate = watchRate(minRate, () => {
    ended = { error: new AppError("request_timeout", "The upload arrives too slowly. Send at least 1 KiB a second.") };
    notify();
  });
  const stop = listenForParts(
    raw,
    (part) => {
      bytes.add(part);
      rate.count(part.length);
      if (bytes.size >= MAX_AHEAD_BYTES) raw.pause();
      notify();
    },
    (error) => {
      ended = { error };
      notify();
    },
  );
  try {
    while (bytes.size > 0 || ended === undefined) {
      if (bytes.size === 0) {
        rate.resume();
        await changed.promise;
        rate.pause();
      }
      changed = Promise.withResolvers();
      if (bytes.size > 0) yield bytes.take();
      raw.resume();
    }
    if (ended.error !== null) throw ended.error;
  } finally {
    rate.stop();
    stop();
  }
}

/**
 * Calls `onPart` for each part of a body, and then `onEnd` once. After some parts, nothing more is read from the connection until others
 * had a turn. Returns a function that stops listening.
 */
function listenForParts(raw: IncomingMessage, onPart: (part: Buffer) => void, onEnd: (error: Error | null) => void): () => void {
  const { socket } = raw;
  let parts = 0;
  // Node resumes the connection whenever the request has room for more parts.
  const stayPaused = (): void => void socket.pause();
  const onData = (part: Buffer): void => {
    onPart(part);
    if (++parts !== PARTS_PER_STEP) return;
    socket.pause().on("resume", stayPaused);
    void yieldToOthers().then(() => {
      parts = 0;
      socket.off("resume", stayPaused).resume();
    });
  };
  const onComplete = (): void => onEnd(null);
  raw.on("data", onData).on("end", onComplete).on("error", onEnd);
  return () => void raw.off("data", onData).off("end", onComplete).off("error", onEnd);
}

const tooLarge = (maxBytes: number): AppError =>
  new AppError("too_large", `The request body is too large. The maximum is ${formatBytes(maxBytes)}.`);
