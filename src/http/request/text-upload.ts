import type { IncomingMessage } from "node:http";
import { readUpload } from "./upload.ts";

/**
 * The text of the one file in a multipart form, in pieces as they come: the form is read no faster than `read` takes them, and its end
 * or failure is theirs. Answers what `read` does; throws what it throws, else what the form was refused for.
 */
export async function pipeUpload<T>(
  raw: IncomingMessage,
  maxBytes: number,
  read: (pieces: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const taken = read(decode(readable));
  const uploaded = readUpload(raw, { maxBytes, onPart: (bytes) => writer.write(bytes) }).then(
    () => writer.close(),
    async (error: unknown) => {
      // Whoever reads ends with the same error; where it ended by itself, there is nobody left to tell.
      await writer.abort(error).catch(() => {});
      throw error;
    },
  );
  const [made, sent] = await Promise.allSettled([taken, uploaded]);
  if (made.status === "rejected") throw made.reason;
  if (sent.status === "rejected") throw sent.reason;
  return made.value;
}

/** UTF-8; what is none becomes U+FFFD. */
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const part of bytes) yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}
