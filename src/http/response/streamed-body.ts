import { Readable } from "node:stream";
import { AppError } from "#domain/core/errors/error.ts";
import type { ByteCount, Patience } from "../request/byte-shares.ts";

/** Renders a part of a body. It can be called again, so that a part need not be kept in memory while it can't be sent. */
export type BodyPart = () => Promise<string>;

/** Counts the parts of a stream. */
export type PartCounter = {
  readonly count: ByteCount;
  /** What is counted besides the current part. */
  readonly fixedBytes: number;
  /** Renders in turn with other streams. */
  readonly read: <T>(render: () => Promise<T>) => Promise<T>;
};

/** The size of the pieces in which a part is passed on. */
const PIECE_BYTES = 65_536;
/** What a stream takes besides the current part: pieces that wait in the stream, the response and the connection. */
export const STREAM_BYTES = 4 * PIECE_BYTES;

/** Parts of clients that read get room within seconds, because they take turns. */
const PATIENCE: Patience = {
  checkMs: 60_000,
  check() {
    throw new AppError("unavailable", "There was no memory for the rest of a response. Read the responses that wait first.", 2);
  },
  mayExceed: true,
};

/** A body that is read part by part while it is sent. */
export class StreamedBody {
  /** The part that has been rendered already; none once it is being sent. */
  #first: Buffer | null;
  readonly #rest: AsyncGenerator<BodyPart>;
  /** What the parts keep in memory until the last is sent. */
  readonly heldBytes: number;
  constructor(first: string, rest: AsyncGenerator<BodyPart>, heldBytes = 0) {
    this.#first = Buffer.from(first);
    this.#rest = rest;
    this.heldBytes = heldBytes;
  }

  get firstBytes(): number {
    return this.#first?.length ?? 0;
  }

  /**
   * Returns the body as a stream. The current part is counted, besides `fixedBytes`; a part for which there is no room waits for it, and
   * is rendered again then. A wait that takes too long ends the stream with an error, which the client sees.
   */
  open(counter: PartCounter): Readable {
    return Readable.from(this.#send(counter), { objectMode: false, highWaterMark: PIECE_BYTES });
  }

  async *#send(counter: PartCounter): AsyncGenerator<Buffer> {
    let bytes = this.#first;
    this.#first = null;
    if (bytes !== null) yield* cut(bytes);
    // Nothing of a part may be referenced while the next one waits for room.
    bytes = null;
    for await (const part of this.#rest) {
      bytes = await render(part, counter);
      if (bytes === null) return;
      yield* cut(bytes);
      bytes = null;
    }
  }
}

/** Returns a body that has one part as text, and a longer one as a streamed body. `heldBytes` is what the parts keep in memory. */
export async function readParts(parts: AsyncGenerator<BodyPart>, heldBytes = 0): Promise<string | StreamedBody> {
  const { value: part } = await parts.next();
  const first = await (part as BodyPart)();
  const second = await parts.next();
  return second.done === true ? first : new StreamedBody(first, prepend(second.value, parts), heldBytes);
}

async function* prepend(first: BodyPart, rest: AsyncGenerator<BodyPart>): AsyncGenerator<BodyPart> {
  yield first;
  yield* rest;
}

/** Renders a part and counts it. Returns null if the response is closed while there is no room for the part. */
async function render(part: BodyPart, { count, fixedBytes, read }: PartCounter): Promise<Buffer | null> {
  // The room of the part before is given up first, so that streams which wait for room take turns with this one.
  count.giveWay(fixedBytes);
  const rendered = await read(async () => {
    const bytes = Buffer.from(await part());
    return count.resize(fixedBytes + bytes.length) === null ? bytes : bytes.length;
  });
  if (typeof rendered !== "number") return rendered;
  count.force(fixedBytes);
  if (!(await count.waitFor(fixedBytes + rendered, PATIENCE))) return null;
  return read(async () => {
    const bytes = Buffer.from(await part());
    count.force(fixedBytes + bytes.length);
    return bytes;
  });
}

/** Yields copies of pieces, so that a piece that waits does not keep the whole part in memory. */
function* cut(bytes: Buffer): Generator<Buffer> {
  if (bytes.length > 0 && bytes.length <= PIECE_BYTES) yield bytes;
  else for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield Buffer.copyBytesFrom(bytes, at, PIECE_BYTES);
}
