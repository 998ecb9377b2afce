import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** A body that is being received or handled. */
export type ReceivedBody = {
  readonly raw: IncomingMessage;
  readonly socket: Socket;
  /** When it began, in milliseconds, and the bytes that its connection had brought by then. */
  readonly since: number;
  readonly bytesBefore: number;
};

const MIN_RETRY_SECONDS = 2;
/** Within this time a body has arrived or is refused, unless it is an upload. */
const MAX_RETRY_SECONDS = 60;

export function beginBody(raw: IncomingMessage): ReceivedBody {
  const { socket } = raw;
  return { raw, socket, since: performance.now(), bytesBefore: socket.bytesRead };
}

/**
 * Returns a function that tells whether any of the bodies got on since its last call: bytes arrived, a body began or ended, or the server
 * keeps a client waiting.
 */
export function watchProgress(listBodies: () => readonly ReceivedBody[]): () => boolean {
  let before = new Map<ReceivedBody, number>();
  const look = (): boolean => {
    const now = new Map(listBodies().map((body) => [body, body.socket.bytesRead] as const));
    const hasChanged = now.size < before.size || now.entries().some(([body, bytes]) => before.get(body) !== bytes);
    before = now;
    return hasChanged || now.keys().some(({ raw }) => raw.complete || raw.isPaused());
  };
  look();
  return look;
}

/** Estimates after how many seconds the first of the bodies is done, if each goes on as fast as before. */
export function estimateSecondsUntilDone(bodies: readonly ReceivedBody[], now = performance.now()): number {
  const estimates = bodies.map(({ raw, socket, since, bytesBefore }) => {
    if (raw.complete) return 0;
    const received = socket.bytesRead - bytesBefore;
    const length = raw.headers["content-length"];
    // As much again, if nobody knows.
    const left = length === undefined ? received : Math.max(0, Number(length) - received);
    return received === 0 ? Infinity : (((now - since) / 1_000) * left) / received;
  });
  return Math.min(MAX_RETRY_SECONDS, Math.max(MIN_RETRY_SECONDS, Math.ceil(Math.min(...estimates))));
}
