import type { Static } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import { isLongerThan } from "#domain/core/text.ts";
import type { NewContent } from "#service/content/drafts.ts";
import type { InputLimits } from "../../wire/schema.ts";
import { type TileInputs, readNewTile } from "../../wire/tiles/tile-input.ts";
import type { IgnoredFields } from "../ignored-fields.ts";
import { readObject } from "../schema-reader.ts";
import { chooseFields, chooseTitle, nothingUsable, readAddress } from "./choose-fields.ts";
import { type ReadingDeps, type ReceivedMessage, readMail } from "./read-message.ts";

/** What becomes of a message. */
export type MessageContent = {
  /** Null if there are files alone. */
  readonly tile: NewContent | null;
  /** The board that the message names. */
  readonly boardId?: string;
  /** The title of the only file. */
  readonly fileTitle?: string;
};

type Reading = {
  readonly deps: ReadingDeps;
  readonly actor: Actor;
  readonly inputs: TileInputs;
  readonly limits: InputLimits;
  readonly ignored: IgnoredFields;
  readonly signal: AbortSignal;
};

/** Returns the tile that a message describes. Throws 400 if there is nothing usable, with the names of the fields that were received. */
export async function readContent(reading: Reading, message: ReceivedMessage): Promise<MessageContent> {
  if (message.kind === "fields") return readFields(reading, message);
  const { limits } = reading;
  if (message.kind === "text") {
    const address = readAddress(message.text);
    if (address !== null) return { tile: { url: address } };
    const content = toContent(limits, message.text);
    if (content === "") throw nothingUsable(undefined);
    return { tile: { content } };
  }
  const { mail, id } = message;
  const title = toTitle(limits, mail.subject);
  const content = toContent(limits, mail.text.trim() === "" ? mail.subject : mail.text);
  if (content !== "") return { tile: { content, ...title, externalId: id } };
  if (mail.files.length === 0) throw nothingUsable(undefined);
  return { tile: null };
}

type ReceivedFields = ReceivedMessage & { readonly kind: "fields" };

async function readFields(reading: Reading, { source, fields, files }: ReceivedFields): Promise<MessageContent> {
  const { inputs, limits, ignored } = reading;
  if (isDocumented(fields)) return readDocumented(inputs.addressed, { source, fields }, ignored);
  const chosen = chooseFields(fields);
  if (chosen === null) {
    if (files.length === 0) throw nothingUsable(fields);
    const title = toTitle(limits, chooseTitle(fields));
    return { tile: null, ...(title.title === undefined ? {} : { fileTitle: title.title }) };
  }
  ignored.addUnknown(undefined, omit(fields, chosen.names));
  const title = toTitle(limits, chosen.title);
  if ("url" in chosen) return { tile: { url: chosen.url, ...title } };
  const text = "html" in chosen ? await cleanHtml(reading, chosen.html) : chosen.content;
  return { tile: { content: toContent(limits, text), ...title } };
}

/** Whether a message has the fields of the inbound call: an address as `url`, or a text as `content`. */
function isDocumented(fields: unknown): fields is object {
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return false;
  const { url, content } = fields as { readonly url?: unknown; readonly content?: unknown };
  const hasText = typeof content === "string" && content.trim() !== "";
  return hasText ? url === undefined || url === null || url === "" : content === undefined && readAddress(url) !== null;
}

function readDocumented(
  schema: TileInputs["addressed"],
  { source, fields }: Pick<ReceivedFields, "source"> & { readonly fields: object },
  ignored: IgnoredFields,
): MessageContent {
  ignored.addUnknown(schema, fields);
  const body: Static<typeof schema> = readObject(schema, fields, source);
  return { tile: readNewTile(body), ...(body.board_id === undefined ? {} : { boardId: body.board_id }) };
}

/** Cleans a text of a form in HTML, as that of an e-mail. */
async function cleanHtml({ deps, actor, signal }: Reading, html: string): Promise<string> {
  const mail = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${html}`;
  return (await readMail(deps, actor, Uint8Array.from(Buffer.from(mail)), signal)).text;
}

/** Returns a text as the database can store it. Throws 400 for one that is too long. */
function toContent(limits: InputLimits, text: string): string {
  const content = text.toWellFormed().replaceAll("\0", "").trim();
  if (isLongerThan(content, limits.content))
    throw invalidField("content", `is too long. The maximum is ${limits.content.toLocaleString("en")} characters.`);
  return content;
}

/** Returns a title of one line, cut to its maximum length; nothing for a blank one. */
function toTitle(limits: InputLimits, text: string | undefined): { readonly title?: string } {
  const line = (text ?? "")
    .toWellFormed()
    .replaceAll(/[\s\0]+/g, " ")
    .trim();
  return line === "" ? {} : { title: [...line].slice(0, limits.title).join("") };
}

const omit = (fields: unknown, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(fields as object).filter(([name]) => !names.includes(name)));
