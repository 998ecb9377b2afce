import type { IncomingMessage } from "node:http";
import type { FormFields } from "./form-fields.ts";
import { readUpload, type UploadOptions } from "./upload.ts";

export type TextUploadOptions = Pick<UploadOptions, "maxBytes" | "tooLargeAdvice"> & {
  /** Throws if the form has fields that it must not have. They may follow the file, whose end `read` sees only afterwards. */
  readonly checkFields: (fields: FormFields) => void;
};

/**
 * Passes the text of the file in a multipart form to `read`, in chunks and with backpressure. Returns what `read` returns. Throws the
 * error of `read`, otherwise the error of the form.
 */
export async function pipeTextUpload<T>(
  raw: IncomingMessage,
  { checkFields, ...limits }: TextUploadOptions,
  read: (chunks: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const reading = read(decode(readable));
  const uploading = readUpload(raw, { ...limits, onChunk: (bytes) => writer.write(bytes) })
    .then(({ fields }) => {
      checkFields(fields);
      return writer.close();
    })
    .catch(async (error: unknown) => {
      // `read` fails with the same error, unless it has ended already.
      await writer.abort(error).catch(() => {});
      throw error;
    });
  const [result, upload] = await Promise.allSettled([reading, uploading]);
  if (result.status === "rejected") throw result.reason;
  if (upload.status === "rejected") throw upload.reason;
  return result.value;
}

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const part of bytes) yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}
