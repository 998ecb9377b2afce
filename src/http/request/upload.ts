import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { AppError, invalid } from "#domain/core/error.ts";

/** A form with one file: its other fields, what the file says of itself, and the SHA-256 of its bytes. */
export type Upload = {
  readonly fields: Readonly<Record<string, string>>;
  readonly name: string;
  readonly mediaType: string;
  readonly sha256: string;
};

export type UploadOptions = {
  readonly maxBytes: number;
  /** Takes the file's bytes in order, about a megabyte at a time; the next are read once it is done. */
  readonly onPart: (bytes: Buffer) => Promise<void>;
};

const PART = 1_048_576;
const MAX_FIELDS = 10;
const MAX_FIELD_BYTES = 4_096;
/** What the form may have besides the file. */
const MAX_AROUND = MAX_FIELDS * MAX_FIELD_BYTES * 2;
const MAX_NAME_LENGTH = 255;

const tooLarge = (maxBytes: number): AppError =>
  new AppError("too_large", `The file is too large. The most is ${Math.floor(maxBytes / 1_048_576)} MiB.`);

/** The last part of the name it came with, without what does not belong in a name. */
const tidyName = (name: string): string =>
  [
    ...name
      .toWellFormed()
      .replace(/^.*[/\\]/s, "")
      .replaceAll(/[\u0000-\u001F\u007F]/g, "")
      .trim(),
  ]
    .slice(0, MAX_NAME_LENGTH)
    .join("") || "file";

/**
 * Reads a multipart form (RFC 7578) with one file, whose bytes never stand in memory as a whole. Throws `AppError`: 400 for a form
 * that can't be read or has no file or several, 413 for one beyond `maxBytes`.
 */
export async function readUpload(raw: IncomingMessage, options: UploadOptions): Promise<Upload> {
  const type = raw.headers["content-type"];
  if (type === undefined || !/^multipart\/form-data\s*;/i.test(type))
    throw new AppError("unsupported_media_type", "Send the file as multipart/form-data.");
  if (Number(raw.headers["content-length"] ?? 0) > options.maxBytes + MAX_AROUND) throw tooLarge(options.maxBytes);
  const parser = openParser({ ...raw.headers, "content-type": type }, options.maxBytes);
  const fields: Record<string, string> = {};
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const found: { file: Promise<Omit<Upload, "fields">> | null; stream: BusboyFileStream | null } = { file: null, stream: null };
  parser.on("field", (name, value, _nameCut, isCut) => {
    if (isCut) failed.reject(invalid(`${name} is too long.`));
    else fields[name] = value;
  });
  parser.on("file", (_field, stream, name, _encoding, mediaType) => {
    found.stream = stream;
    found.file = readFile(stream, options).then((sha256) => ({ name: tidyName(name ?? ""), mediaType, sha256 }));
    found.file.catch(failed.reject);
  });
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const)
    parser.on(limit, () => failed.reject(invalid("Send one file in the form, and few other fields.")));
  parser.on("error", () => failed.reject(invalid("The form could not be read.")));
  try {
    await Promise.race([pour(raw, parser, options.maxBytes), failed.promise]);
    const whole = await Promise.race([Promise.resolve(found.file), failed.promise]);
    if (whole === null) throw invalid("file is required.");
    return { ...whole, fields };
  } catch (error) {
    // Nothing is appended any more once this has ended, so that what was can be taken back.
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
    throw invalid("The form could not be read.");
  }
}

/** Hands the body to the parser as fast as it takes it. */
async function pour(raw: IncomingMessage, parser: Busboy, maxBytes: number): Promise<void> {
  let read = 0;
  const finished = once(parser, "finish");
  finished.catch(() => {});
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > maxBytes + MAX_AROUND) throw tooLarge(maxBytes);
    if (!parser.write(chunk)) await once(parser, "drain");
  }
  parser.end();
  await finished;
}

type Busboy = ReturnType<typeof openParser>;

async function readFile(stream: BusboyFileStream, { maxBytes, onPart }: UploadOptions): Promise<string> {
  const hash = createHash("sha256");
  let gathered: Buffer[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (size === 0) return;
    const part = Buffer.concat(gathered);
    gathered = [];
    size = 0;
    await onPart(part);
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    gathered.push(chunk);
    size += chunk.length;
    if (size >= PART) await flush();
  }
  if (stream.truncated) throw tooLarge(maxBytes);
  await flush();
  return hash.digest("hex");
}
