import { isUtf8 } from "node:buffer";
import type { Actor } from "#domain/core/access.ts";
import type { AttachedFile, Mail } from "#domain/content/file.ts";
import { IngestError } from "#domain/content/job.ts";
import { AppError, invalid } from "#domain/core/errors/error.ts";
import { findExcessiveStructure } from "#runtime/json-structure.ts";
import type { Deps } from "#service/deps.ts";
import { runStepInTurn } from "#service/work-queue.ts";
import { isLong } from "../body/body-parsers.ts";
import { parseJson, parseLongJson } from "../body/json.ts";
import { readMediaType } from "../form/media-type.ts";
import { readMultipart } from "../form/multipart.ts";
import { readUrlEncoded } from "../form/url-encoded.ts";

/** A request to an inbound address, read by its media type. */
export type ReceivedMessage =
  | { readonly kind: "fields"; readonly source: "json" | "form"; readonly fields: unknown; readonly files: readonly AttachedFile[] }
  | { readonly kind: "text"; readonly text: string }
  /** `id` is the same for the same bytes. */
  | { readonly kind: "mail"; readonly mail: Mail; readonly id: string };

/** What reading takes: turns at the processor, and a thread for e-mails. */
export type ReadingDeps = Pick<Deps, "workQueue" | "readMail">;
type Request = { readonly actor: Actor; readonly contentType: string | undefined; readonly body: Buffer; readonly signal: AbortSignal };

const MAIL_TYPE = "message/rfc822";
const FORM_TYPE = "application/x-www-form-urlencoded";
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
/** The start of a JSON object or array, and of an e-mail: the line of a mailbox file, then headers. */
const JSON_START = /^\uFEFF?\s*[{[]/;
const MAIL_START = /^(?:From .*\r?\n)?[\w-]+:.*\r?\n/;
const START_BYTES = 1_000;

/** Reads a request. Throws 400 for a body that is not what its media type says, and 415 for another media type. */
export async function readMessage(deps: ReadingDeps, request: Request): Promise<ReceivedMessage> {
  const { body, contentType } = request;
  const mediaType = readMediaType(contentType);
  const type = mediaType?.type ?? "";
  const start = body.subarray(0, START_BYTES).toString("latin1");
  if (type === MAIL_TYPE) return readRawMail(deps, request, body);
  if (type === "multipart/form-data") {
    const files: AttachedFile[] = [];
    return readForm(
      deps,
      request,
      await inTurn(deps, request, () => readMultipart(body, contentType ?? "", (file) => files.push(file))),
      files,
    );
  }
  if (type === FORM_TYPE && !JSON_START.test(start))
    return readForm(deps, request, await inTurn(deps, request, async () => readUrlEncoded(body)), []);
  if (type === "text/plain" || (type === "" && isUtf8(body) && !JSON_START.test(start)))
    return inTurn(deps, request, async () => readText(body, mediaType?.parameters["charset"]));
  if (type !== "" && type !== FORM_TYPE && !JSON_TYPE.test(type) && !JSON_START.test(start)) throw unsupportedType();
  const value = await (isLong(body) ? inTurn(deps, request, () => parseLongJson(body)) : parseJson(body));
  return typeof value === "string" ? { kind: "text", text: value } : { kind: "fields", source: "json", fields: value, files: [] };
}

/** Runs work on a long body when it is the sender's turn. */
const inTurn = <T>(deps: ReadingDeps, { actor, body, signal }: Request, work: () => Promise<T>): Promise<T> =>
  isLong(body) ? runStepInTurn(deps, actor, work, signal) : work();

const unsupportedType = (): AppError =>
  new AppError("unsupported_media_type", "Send JSON, form fields, text/plain, or an e-mail as message/rfc822.");

/** Some senders put a whole e-mail, or JSON, into a field of a form. */
async function readForm(
  deps: ReadingDeps,
  request: Request,
  fields: Readonly<Record<string, unknown>>,
  files: readonly AttachedFile[],
): Promise<ReceivedMessage> {
  const { "body-mime": mime, email, payload } = fields;
  const raw = typeof mime === "string" ? mime : typeof email === "string" && MAIL_START.test(email) ? email : null;
  if (raw !== null) return readRawMail(deps, request, Buffer.from(raw));
  if (typeof payload !== "string" || Object.keys(fields).length > 1) return { kind: "fields", source: "form", fields, files };
  return { kind: "fields", source: "json", fields: parseJson(Buffer.from(payload)), files };
}

/** Reads text, or the JSON that some senders declare as text. */
function readText(body: Buffer, charset = "utf-8"): ReceivedMessage {
  const text = decode(body, charset);
  if (JSON_START.test(text) && findExcessiveStructure(body) === null) {
    try {
      return { kind: "fields", source: "json", fields: JSON.parse(text) as unknown, files: [] };
    } catch {
      return { kind: "text", text };
    }
  }
  return { kind: "text", text };
}

function decode(body: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // The name is none that the Encoding standard knows.
    return new TextDecoder().decode(body);
  }
}

async function readRawMail(deps: ReadingDeps, { actor, signal }: Request, body: Buffer): Promise<ReceivedMessage> {
  const digest = await crypto.subtle.digest("SHA-256", body as Uint8Array<ArrayBuffer>);
  return { kind: "mail", id: `mail-${Buffer.from(digest).toString("hex")}`, mail: await readMail(deps, actor, body, signal) };
}

/** Reads an e-mail. Throws 400 for one that can't be read. */
export async function readMail({ readMail: read }: ReadingDeps, actor: Actor, bytes: Uint8Array, signal: AbortSignal): Promise<Mail> {
  try {
    return await read(bytes, actor.businessId, signal);
  } catch (error) {
    if (error instanceof IngestError) throw invalid(`The e-mail can't be read. ${error.message}`, "body_invalid");
    throw error;
  }
}
