import { Type } from "typebox";
import { TILE_ORIGINS } from "#domain/content/tile.ts";
import { invalid, invalidField } from "#domain/core/errors/error.ts";
import { IgnoredFields } from "#http/request/ignored-fields.ts";
import { BULK_BODY, BULK_RESPONSE, presentBulkResult, readAction, readFilter } from "#http/wire/tiles/bulk-change.ts";
import { INBOUND_RESPONSES, INBOUND_TILE, presentInboundTile } from "#http/wire/inbound.ts";
import { type InputLimits, OK, choice, object, urlInput } from "#http/wire/schema.ts";
import { createTileInputs, listIneffectiveFields, readInboundTile, readTilePatch } from "#http/wire/tiles/tile-input.ts";
import { presentCreation } from "#http/wire/tiles/tile.ts";
import { authorizeBoard, authorizeTile } from "#service/access.ts";
import { changeTiles } from "#service/content/bulk.ts";
import { createInboundTile } from "#service/content/inbound.ts";
import { runBySize } from "#service/content/long-tiles.ts";
import { deleteTile, updateTile } from "#service/content/tiles.ts";
import { BOARD_ID, TILE_ID } from "../schema.ts";
import { type Tool, defineTool } from "../tool.ts";

/** More would take a large part of what a model can read. */
const MAX_LISTED_IDS = 100;

type Inputs = ReturnType<typeof createTileInputs>;

function addTile({ inbound }: Inputs): Tool {
  const { content: text, url: _url, origin: _origin, board_id: _boardId, ...others } = inbound.properties;
  return defineTool({
    name: "add_tile",
    title: "Add a tile",
    description:
      "Adds a note (text) or a link (url) to a board. A note is ready at once; a link is fetched in the background: read_tile shows when its status is ready or failed. Give either text or url. Give external_id, so that repeating the call updates the tile instead of adding another one: created says which, and changed whether anything is different. Set on_duplicate to skip, so that a page or text that the board has already is not added again. Set origin when you save an answer or a text generated from the board.",
    requiredAccess: "inbound",
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    isTrusted: true,
    input: Type.Object({
      board_id: BOARD_ID,
      text,
      url: Type.Optional(urlInput("The link's address, http or https, instead of text.")),
      ...others,
      source_url: Type.Optional(urlInput("Only with text: where it came from. It is shown in citations, and never fetched.")),
      origin: Type.Optional(
        choice(TILE_ORIGINS, {
          description: "Only with text: what wrote it. The tile is then not used in answers unless connected_to_chat is true.",
        }),
      ),
    }),
    output: INBOUND_RESPONSES.tile,
    async run({ deps, actor, args: { text: content, ...args } }) {
      if (content !== undefined && args.url !== undefined) throw invalid("Provide either text or url, not both.");
      if (content === undefined && args.url === undefined) throw invalid("Either text or url must be provided.", "field_missing");
      if (content === undefined && args.origin !== undefined) throw invalidField("origin", "needs text.");
      const body = content === undefined ? args : { ...args, content };
      new IgnoredFields(null, true).addWithoutEffect(...listIneffectiveFields(body));
      const outcome = await createInboundTile(deps, actor, readInboundTile(body));
      if (outcome.replayed) throw new Error("A creation without an idempotency key was replayed.");
      return { data: presentCreation(outcome.value, presentInboundTile) };
    },
  });
}

function updateTileTool({ update }: Inputs): Tool {
  const { content: text, ...others } = update.properties;
  return defineTool({
    name: "update_tile",
    title: "Update a tile",
    description:
      "Changes a tile: its title, text, zone, position, external id, tags, properties or options. Fields that you leave out stay as they are. text replaces the whole text, which cannot be undone: read the tile first.",
    requiredAccess: "write",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    isTrusted: true,
    input: Type.Object({ tile_id: TILE_ID, text, ...others }),
    output: object({ tile: INBOUND_TILE }),
    async run({ deps, actor, args: { tile_id: tileId, text: content, ...args } }) {
      const patch = readTilePatch(content === undefined ? args : { ...args, content });
      const { tile, scope } = await authorizeTile(deps, actor, tileId, "write");
      const updated = await runBySize(deps, actor, tile, () => updateTile(deps, scope, tile, patch), content);
      return { data: { tile: presentInboundTile(updated) } };
    },
  });
}

const deleteTileTool = defineTool({
  name: "delete_tile",
  title: "Delete a tile",
  description: "Deletes a tile. It can be restored for 30 days, by change_tiles with its id and the action restore.",
  requiredAccess: "write",
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  isTrusted: true,
  input: Type.Object({ tile_id: TILE_ID }),
  output: OK,
  async run({ deps, actor, args }) {
    const { tile, scope } = await authorizeTile(deps, actor, args.tile_id, "write");
    await deleteTile(deps, scope, tile);
    return { data: { ok: true } };
  },
});

const changeTilesTool = defineTool({
  name: "change_tiles",
  title: "Change many tiles",
  description: `Moves, tags, deletes, restores or retries every tile of a board that matches the filter, or sets its properties, or whether answers may use it. Call it with dry_run true first: it changes nothing, and returns how many tiles match. tileIds has the first ${MAX_LISTED_IDS} of them.`,
  requiredAccess: "write",
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: Type.Object({ board_id: BOARD_ID, ...BULK_BODY.properties }),
  output: BULK_RESPONSE,
  async run({ deps, actor, args, signal }) {
    const filter = readFilter(args.filter);
    const action = readAction(args.action, filter);
    const scope = await authorizeBoard(deps, actor, args.board_id, "write");
    const change = { filter, action, isDryRun: args.dry_run === true };
    return { data: presentBulkResult(await changeTiles(deps, scope, change, signal), MAX_LISTED_IDS) };
  },
});

export function changeTools(limits: InputLimits): readonly Tool[] {
  const inputs = createTileInputs(limits);
  return [addTile(inputs), updateTileTool(inputs), deleteTileTool, changeTilesTool];
}
