import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { sanitiseFileName } from "#domain/content/file.ts";
import { AppError, invalid, invalidField, missingField } from "#domain/core/errors/error.ts";
import { formatBytes } from "#domain/core/text.ts";
import { ByteCollector } from "#runtime/byte-collector.ts";
import { receiveParts } from "../body/receive-body.ts";
import { FormFieldCollector, type FormFields } from "./form-fields.ts";
import { readMediaType } from "./media-type.ts";

/** A form with one file: its other fields, the name and media type from the client, and the SHA-256 of the bytes. */
export type Upload = {
  readonly fields: FormFields;
  readonly name: string;
  readonly mediaType: string;
  readonly sha256: string;
};

export type UploadOptions = {
  readonly maxBytes: number;
  /** What to do with a larger file, in a sentence. */
  readonly tooLargeAdvice?: string;
  /** Receives the bytes in order, about 1 MiB at a time. The next chunk is read when the promise resolves. */
  readonly onChunk: (bytes: Buffer) => Promise<void>;
};

const CHUNK_BYTES = 1_048_576;
/** The memory that an upload takes: the parts of a chunk, and their copy. */
export const HELD_UPLOAD_BYTES = 2 * CHUNK_BYTES;
/** More than a tile takes if each of its tags is a field. */
const MAX_FIELDS = 100;
/** The longest field is `properties`: 16 KiB as JSON, and more with spaces and escapes. */
const MAX_FIELD_BYTES = 65_536;
/** All fields together, which are held in memory. */
const MAX_FIELDS_BYTES = 2 * MAX_FIELD_BYTES;
/** The maximum size of a form without its file: its fields, and the heads of its parts. */
const MAX_FORM_OVERHEAD_BYTES = 2 * MAX_FIELDS_BYTES;

const tooLarge = ({ maxBytes, tooLargeAdvice }: UploadOptions): AppError => {
  const message = `The file is too large. The maximum is ${formatBytes(maxBytes)}.`;
  return new AppError("too_large", tooLargeAdvice === undefined ? message : `${message} ${tooLargeAdvice}`);
};

/**
 * Reads a multipart form (RFC 7578) with one file, without holding the file in memory. Throws `AppError`: 400 for an invalid form and
 * for none or several files, 413 for a file larger than `maxBytes`.
 */
export async function readUpload(raw: IncomingMessage, options: UploadOptions): Promise<Upload> {
  const type = raw.headers["content-type"];
  const mediaType = readMediaType(type);
  if (type === undefined || mediaType?.type !== "multipart/form-data" || mediaType.parameters["boundary"] === undefined)
    throw new AppError("unsupported_media_type", "Send the file as multipart/form-data.");
  if (Number(raw.headers["content-length"] ?? 0) > options.maxBytes + MAX_FORM_OVERHEAD_BYTES) throw tooLarge(options);
  const parser = openParser({ ...raw.headers, "content-type": type }, options.maxBytes);
  const collector = new FormFieldCollector();
  let bytes = 0;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const stopped = new AbortController();
  const found: { file: Promise<Omit<Upload, "fields">> | null; stream: BusboyFileStream | null } = { file: null, stream: null };
  parser.on("field", (name, value, _nameCut, isTruncated) => {
    bytes += name.length + value.length;
    if (isTruncated || bytes > MAX_FIELDS_BYTES) failed.reject(invalidField(name, "is too long."));
    else collector.add(name, value);
  });
  parser.on("file", (_field, stream, name, _encoding, mediaType) => {
    found.stream = stream;
    found.file = readFile(stream, options).then((sha256) => ({ name: sanitiseFileName(name ?? ""), mediaType, sha256 }));
    found.file.catch(failed.reject);
  });
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const)
    parser.on(limit, () => failed.reject(invalid("Send one file in the form, and only a few other fields.", "body_invalid")));
  parser.on("error", () => failed.reject(invalid("The form could not be read.", "body_invalid")));
  try {
    await Promise.race([pipeToParser(raw, parser, options, stopped.signal), failed.promise]);
    const upload = await Promise.race([Promise.resolve(found.file), failed.promise]);
    if (upload === null) throw missingField("file");
    return { ...upload, fields: collector.fields() };
  } catch (error) {
    // The parser never drains once its file is destroyed.
    stopped.abort();
    // Wait until no more bytes are appended, because the caller then deletes the appended ones.
    found.stream?.destroy();
    await found.file?.catch(() => {});
    throw error;
  }
}

function openParser(headers: IncomingMessage["headers"] & { "content-type": string }, maxBytes: number) {
  try {
    return new Busboy({
      headers,
      limits: { files: 1, fileSize: maxBytes, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: MAX_FIELDS + 2, headerPairs: 20 },
    });
  } catch {
    throw invalid("The form could not be read.", "body_invalid");
  }
}

/** Writes the body to the parser, with backpressure, until the signal aborts. */
async function pipeToParser(raw: IncomingMessage, parser: Busboy, options: UploadOptions, signal: AbortSignal): Promise<void> {
  let read = 0;
  const finished = once(parser, "finish");
  finished.catch(() => {});
  for await (const chunk of receiveParts(raw)) {
    read += chunk.length;
    if (read > options.maxBytes + MAX_FORM_OVERHEAD_BYTES) throw tooLarge(options);
    if (!parser.write(chunk)) await once(parser, "drain", { signal });
  }
  parser.end();
  await finished;
}

type Busboy = ReturnType<typeof openParser>;

async function readFile(stream: BusboyFileStream, options: UploadOptions): Promise<string> {
  const hash = createHash("sha256");
  const pending = new ByteCollector();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    pending.add(chunk);
    if (pending.size >= CHUNK_BYTES) await options.onChunk(pending.take());
  }
  if (stream.truncated) throw tooLarge(options);
  if (pending.size > 0) await options.onChunk(pending.take());
  return hash.digest("hex");
}
