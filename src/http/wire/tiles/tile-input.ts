import { type Static, Type } from "typebox";
import { MAX_EXTERNAL_ID_LENGTH, TILE_ORIGINS } from "#domain/content/tile.ts";
import { DUPLICATE_ACTIONS, type TilePatch } from "#domain/content/tile-store.ts";
import { MAX_POSITION } from "#domain/content/zone.ts";
import { invalid, invalidField, missingField } from "#domain/core/errors/error.ts";
import { formatBytes } from "#domain/core/text.ts";
import type { NewContent } from "#service/content/drafts.ts";
import { type InputLimits, choice, nameInput, orNull, urlInput } from "../schema.ts";
import { EXAMPLE } from "../example.ts";
import { OPTION_INPUTS, readTileOptions } from "./tile-options.ts";

const MIN_REFRESH_MINUTES = 15;
const MAX_REFRESH_MINUTES = 43_200;

/** The maximum size of a page that a browser rendered, in bytes of UTF-8: as much as is read of a page that is fetched. */
const MAX_HTML_BYTES = 3 * 1_048_576;
const HTML_TOO_LONG = `is too long. The maximum is ${formatBytes(MAX_HTML_BYTES)}.`;
const HTML = Type.Optional(
  Type.String({
    maxLength: MAX_HTML_BYTES,
    "x-too-long": HTML_TOO_LONG,
    description: `Only with url: the page as a browser rendered it, up to ${formatBytes(MAX_HTML_BYTES)}. It is read instead of fetching the link.`,
  }),
);

const SOURCE_URL = Type.Optional(urlInput("Only with content: where the text came from. It is shown in citations, and never fetched."));

/** How a creation finds the tile that exists already, or that was deleted. */
const IDENTITY = {
  external_id: Type.Optional(
    Type.String({
      maxLength: MAX_EXTERNAL_ID_LENGTH,
      description: "Your own id. A call with the same id updates the same tile of the board.",
    }),
  ),
  skip_deleted: Type.Optional(Type.Boolean({ description: "true: nothing is made of what was deleted, by external_id or address." })),
  on_duplicate: Type.Optional(
    choice(DUPLICATE_ACTIONS, {
      title: "DuplicateAction",
      description:
        "What to do with an existing tile, found by external_id, else by address or exact text. create (default): only external_id counts. skip: return it unchanged. update: update it, and read its link again.",
    }),
  ),
};

const EXTERNAL_ID_PATCH = orNull("string", {
  maxLength: MAX_EXTERNAL_ID_LENGTH,
  "x-blank": "refused",
  description: "Your own id, or null. 409 if another tile has it.",
});

/** Requests that create or change a tile. */
export function createTileInputs(limits: InputLimits) {
  const title = (blank: "missing" | "refused") => Type.Optional(nameInput(limits.title, blank, "The title."));
  const content = (blank: "missing" | "refused") =>
    Type.Optional(Type.String({ maxLength: limits.content, "x-blank": blank, description: "The text." }));
  const zoneId = Type.Optional(Type.String({ description: "The zone of the tile. It must belong to the board." }));
  const fields = {
    content: content("missing"),
    url: Type.Optional(urlInput("A link instead of content. It is read in the background; its type is detected.")),
    html: HTML,
    source_url: SOURCE_URL,
    zone_id: zoneId,
    title: title("missing"),
    ...IDENTITY,
    ...OPTION_INPUTS,
    origin: Type.Optional(
      choice(TILE_ORIGINS, {
        title: "TileOrigin",
        description: "Only with content: what wrote the text. The tile then starts with connected_to_chat false.",
      }),
    ),
  };
  const inbound = Type.Object(
    { board_id: Type.String({ description: "The board of the new tile." }), ...fields },
    { title: "InboundTileInput", examples: [{ board_id: EXAMPLE.boardId, url: EXAMPLE.url, external_id: "page-4711" }] },
  );
  return {
    /** A message to an inbound address, which has a board. */
    addressed: Type.Object({ board_id: Type.Optional(Type.String()), ...fields }),
    create: Type.Object(fields, { minProperties: 1, examples: [{ title: EXAMPLE.title, content: EXAMPLE.text }] }),
    inbound,
    inboundBatch: Type.Object({ tiles: Type.Array(inbound, { minItems: 1, maxItems: 500, description: "The tiles to create." }) }),
    file: Type.Object({ html: HTML, source_url: SOURCE_URL, zone_id: zoneId, title: title("missing"), ...IDENTITY, ...OPTION_INPUTS }),
    update: Type.Object(
      {
        title: title("refused"),
        content: content("refused"),
        zone_id: Type.Optional(orNull("string", { description: "Moves the tile; null removes it from its zone.", "x-blank": "missing" })),
        sort_order: Type.Optional(
          Type.Integer({ minimum: -MAX_POSITION, maximum: MAX_POSITION, description: "The position of the tile in its zone." }),
        ),
        external_id: Type.Optional(EXTERNAL_ID_PATCH),
        ...OPTION_INPUTS,
        refresh_minutes: Type.Optional(
          orNull("integer", {
            minimum: MIN_REFRESH_MINUTES,
            maximum: MAX_REFRESH_MINUTES,
            description: "How often the link is read again, in minutes. null: only by a retry.",
          }),
        ),
      },
      { examples: [{ title: EXAMPLE.title, zone_id: null }] },
    ),
  };
}

export type TileInputs = ReturnType<typeof createTileInputs>;

/** Returns what a request that creates a tile from anything sets on it. */
function readSharedFields(body: Static<TileInputs["file"]>) {
  const { zone_id: zoneId, title, external_id: externalId, skip_deleted: skipDeleted, on_duplicate: onDuplicate } = body;
  return {
    zoneId: zoneId ?? null,
    ...(title === undefined ? {} : { title }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(skipDeleted === undefined ? {} : { skipDeleted }),
    ...(onDuplicate === undefined ? {} : { onDuplicate }),
    ...readTileOptions(body),
  };
}

/** Returns everything that a request sets on a new tile, except its content. */
function readCommonFields(body: Static<TileInputs["create"]>) {
  const { content, origin } = body;
  if (origin !== undefined && content === undefined) throw invalidField("origin", "needs content.");
  return { ...readSharedFields(body), ...(origin === undefined ? {} : { origin }) };
}

/**
 * Returns the fields of a creation that have no effect beside the others. Nothing else than an external id or an address shows what was
 * deleted, and an upload has neither address nor text.
 */
export function listIneffectiveFields(body: Partial<Static<TileInputs["create"]>>): readonly string[] {
  const { content, url, html, source_url: sourceUrl, external_id: externalId, skip_deleted: skipDeleted, on_duplicate: onDuplicate } = body;
  const isText = content !== undefined;
  const isKnown = externalId !== undefined || (isText ? sourceUrl : url) !== undefined;
  const isDuplicable = isKnown || isText || onDuplicate === "create";
  return [
    ...(isText && url !== undefined ? ["url"] : []),
    ...(isText && html !== undefined ? ["html"] : []),
    ...(!isText && sourceUrl !== undefined ? ["source_url"] : []),
    ...(skipDeleted === true && !isKnown ? ["skip_deleted"] : []),
    ...(onDuplicate !== undefined && !isDuplicable ? ["on_duplicate"] : []),
  ];
}

/** Throws 400 for a page without its address, or a longer one. */
function checkHtml(html: string | undefined, url: string | undefined): void {
  if (html === undefined) return;
  if (url === undefined) throw invalidField("html", "needs url.");
  if (Buffer.byteLength(html) > MAX_HTML_BYTES) throw invalidField("html", HTML_TOO_LONG);
}

/** Returns the tile that a request creates. `content` takes precedence over `url`. Throws 400 without both. */
export function readNewTile(body: Static<TileInputs["create"]>): NewContent {
  const { content, url, html, source_url: sourceUrl } = body;
  checkHtml(html, url);
  if (content !== undefined) return { content, ...(sourceUrl === undefined ? {} : { sourceUrl }), ...readCommonFields(body) };
  if (url === undefined) throw missingField("content");
  return { url, ...(html === undefined ? {} : { html }), ...readCommonFields(body) };
}

/** Returns the tile that an inbound call creates. Throws 400 unless it has exactly one of `content` and `url`. */
export function readInboundTile(body: Static<TileInputs["inbound"]>): NewContent & { readonly boardId: string } {
  const { board_id: boardId, url, content, html } = body;
  checkHtml(html, url);
  if (url !== undefined && content !== undefined) throw invalid("Provide either content or url, not both.");
  if (url === undefined && content === undefined) throw invalid("Either content or url must be provided.", "field_missing");
  return { boardId, ...readNewTile(body) };
}

/** Returns what the form fields of an upload set on the tile. Throws 400 for a page, whose address an upload does not have. */
export function readFileFields(body: Static<TileInputs["file"]>): ReturnType<typeof readSharedFields> {
  checkHtml(body.html, undefined);
  return readSharedFields(body);
}

export const readTilePatch = (body: Static<TileInputs["update"]>): TilePatch => ({
  ...(body.title === undefined ? {} : { title: body.title }),
  ...(body.content === undefined ? {} : { content: body.content }),
  ...(body.zone_id === undefined ? {} : { zoneId: body.zone_id }),
  ...(body.refresh_minutes === undefined ? {} : { refreshMinutes: body.refresh_minutes }),
  ...(body.sort_order === undefined ? {} : { sortOrder: body.sort_order }),
  ...(body.external_id === undefined ? {} : { externalId: body.external_id }),
  ...readTileOptions(body),
});
