import { Busboy } from "@fastify/busboy";
import type { AttachedFile } from "#domain/content/file.ts";
import { invalid } from "#domain/core/errors/error.ts";
import { ByteCollector } from "#runtime/byte-collector.ts";
import { FormFieldCollector, type FormFields } from "./form-fields.ts";
import { MAX_FIELDS, tooManyFields } from "./url-encoded.ts";

const MAX_HEADERS_PER_PART = 20;
/** A form is parsed in chunks, and other requests are handled between them. */
const CHUNK_BYTES = 65_536;

const unreadable = () => invalid("The form could not be read.", "body_invalid");

/** Parses a multipart form (RFC 7578) of this media type, and returns its fields. Files are ignored without `onFile`. */
export async function readMultipart(body: Buffer, type: string, onFile?: (file: AttachedFile) => void): Promise<FormFields> {
  const parser = openParser(type, body.length);
  const collector = new FormFieldCollector();
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => {});
  let isEnded = false;
  const fail = (error: Error): void => {
    isEnded = true;
    ended.reject(error);
  };
  parser.on("field", (name, value) => void (name === undefined || collector.add(name, value)));
  parser.on("file", (_field, stream, name, _encoding, mediaType) => {
    stream.on("error", () => fail(unreadable()));
    if (onFile === undefined) return void stream.resume();
    const bytes = new ByteCollector();
    stream.on("data", (part: Buffer) => bytes.add(part)).on("end", () => onFile({ name: name ?? "", mediaType, bytes: bytes.take() }));
  });
  for (const limit of ["fieldsLimit", "partsLimit", "filesLimit"] as const) parser.on(limit, () => fail(tooManyFields()));
  parser.on("error", () => fail(unreadable()));
  parser.on("finish", () => ended.resolve());
  for (let at = 0; at < body.length && !isEnded; at += CHUNK_BYTES) {
    const written = new Promise((resolve) => parser.write(body.subarray(at, at + CHUNK_BYTES), resolve));
    await Promise.race([written, ended.promise]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (!isEnded) parser.end();
  await ended.promise;
  return collector.fields();
}

function openParser(type: string, bytes: number) {
  try {
    return new Busboy({
      headers: { "content-type": type },
      limits: {
        fields: MAX_FIELDS,
        files: MAX_FIELDS,
        parts: MAX_FIELDS,
        // The length of each field is checked by the schema of the route, whose message names the limit.
        fieldSize: bytes,
        headerPairs: MAX_HEADERS_PER_PART,
      },
    });
  } catch {
    throw unreadable();
  }
}
