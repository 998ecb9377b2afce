import type { Requirement } from "../../requirement.ts";
import { equal, hasFields, holds, isRefused, isStatus, listIn, objectIn } from "../../expect.ts";
import { NO_ID, TILE_ROW } from "../spec/shapes.ts";

const section = "Resources › Tiles";
const additions = "Resources › Additions";

export const tileAdditions: readonly Requirement[] = [
  {
    id: "D-073",
    section,
    statement:
      "A full tile has boardId, rawContent, sourceUrl, metadata, error, warnings, sortOrder and externalId beside the specification's fields.",
    check: async function fullTileHasItsFields(t) {
      const { id } = await t.tile({ content: "Whole" });
      const tile = objectIn(await t.call("GET", `/api/board/tiles/${id}`), "tile");
      const more = {
        boardId: "string",
        rawContent: "string",
        sourceUrl: "string?",
        metadata: "object",
        error: "object?",
        warnings: "list",
        sortOrder: "number",
        externalId: "string?",
      } as const;
      hasFields(tile, { ...TILE_ROW, ...more }, "the tile");
      const { boardId, rawContent, sourceUrl, error, warnings, externalId } = tile;
      equal(
        { boardId, rawContent, sourceUrl, error, warnings, externalId },
        { boardId: t.board.id, rawContent: "Whole", sourceUrl: null, error: null, warnings: [], externalId: null },
        "a text tile",
      );
    },
  },
  {
    id: "D-074",
    section,
    statement: "The listing adds sourceUrl, error and sortOrder.",
    check: async function listingHasAdditions(t) {
      const { id } = await t.tile();
      const row = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles").find((item) => item["id"] === id);
      hasFields(row ?? {}, { sourceUrl: "string?", error: "object?", sortOrder: "number" }, "the tile in the listing");
    },
  },
  {
    id: "D-075",
    section: additions,
    statement: "PATCH with zone_id moves a tile; null takes it out; a foreign zone is 400.",
    check: async function movesATile(t) {
      const [from, to] = [await t.zone(), await t.zone()];
      const { id } = await t.tile({ zone_id: from.id });
      const patch = (body: object) => t.call("PATCH", `/api/board/tiles/${id}`, { body });
      equal(objectIn(await patch({ zone_id: to.id }), "tile")["zoneId"], to.id, "zoneId after the move");
      const foreign = await t.zone({}, (await t.otherBoard()).id);
      for (const zone of [foreign.id, NO_ID]) isRefused(await patch({ zone_id: zone }), 400, "The zone does not belong to this board.");
      equal(objectIn(await patch({ title: "Not moved" }), "tile")["zoneId"], to.id, "zoneId after a PATCH without it");
      equal(objectIn(await patch({ zone_id: null }), "tile")["zoneId"], null, "zoneId after null");
    },
  },
  {
    id: "D-076",
    section: additions,
    statement: "PATCH with sort_order places a tile.",
    check: async function placesATile(t) {
      const { id } = await t.tile();
      equal(objectIn(await t.call("PATCH", `/api/board/tiles/${id}`, { body: { sort_order: 12 } }), "tile")["sortOrder"], 12, "sortOrder");
    },
  },
  {
    id: "D-077",
    section,
    statement: "A PATCH moves updatedAt on and leaves createdAt.",
    check: async function updatedAtMoves(t) {
      const made = await t.tile();
      await t.pause(10);
      const tile = objectIn(await t.call("PATCH", `/api/board/tiles/${made.id}`, { body: { title: "Later" } }), "tile");
      equal(tile["createdAt"], made["createdAt"], "createdAt");
      holds(
        String(tile["updatedAt"]) > String(made["updatedAt"]),
        `expected updatedAt after ${String(made["updatedAt"])}, got ${String(tile["updatedAt"])}`,
      );
    },
  },
  {
    id: "D-078",
    section,
    statement: "`If-Match` that fails is 412 and changes nothing; the `ETag` that was read passes.",
    check: async function ifMatchGuards(t) {
      const { id } = await t.tile({ title: "First" });
      const path = `/api/board/tiles/${id}`;
      isRefused(await t.call("PATCH", path, { body: { title: "Lost" }, headers: { "if-match": '"not-this-version"' } }), 412);
      const read = await t.call("GET", path);
      equal(objectIn(read, "tile")["title"], "First", "title after the refused PATCH");
      const tag = read.headers.etag;
      holds(tag !== undefined, "GET of a tile carries no ETag to hand back");
      isStatus(await t.call("PATCH", path, { body: { title: "Second" }, headers: { "if-match": tag } }), 200);
      isRefused(await t.call("PATCH", path, { body: { title: "Third" }, headers: { "if-match": tag } }), 412);
    },
  },
  {
    id: "D-079",
    section: "Requests and errors",
    statement: "`Tile not found.` (404) on read, update and delete; deleting twice is 404.",
    check: async function missingTileIs404Everywhere(t) {
      const { id } = await t.tile();
      isStatus(await t.call("DELETE", `/api/board/tiles/${id}`), 200);
      for (const missing of [id, NO_ID]) {
        isRefused(await t.call("GET", `/api/board/tiles/${missing}`), 404, "Tile not found.");
        isRefused(await t.call("PATCH", `/api/board/tiles/${missing}`, { body: { title: "x" } }), 404, "Tile not found.");
        isRefused(await t.call("DELETE", `/api/board/tiles/${missing}`), 404, "Tile not found.");
      }
    },
  },
  {
    id: "D-080",
    section: additions,
    statement: "A deleted tile comes back by `POST …/restore`.",
    check: async function tileIsRestored(t) {
      const { id } = await t.tile({ content: "Back again" });
      await t.call("DELETE", `/api/board/tiles/${id}`);
      isStatus(await t.call("POST", `/api/board/tiles/${id}/restore`), 200);
      equal(objectIn(await t.call("GET", `/api/board/tiles/${id}`), "tile")["extractedText"], "Back again", "extractedText");
    },
  },
  {
    id: "D-081",
    section,
    statement: "Retrying a text tile is 409.",
    check: async function textIsNotRetried(t) {
      const { id } = await t.tile();
      isRefused(await t.call("POST", `/api/board/tiles/${id}/retry`), 409);
      isRefused(await t.call("POST", `/api/board/tiles/${NO_ID}/retry`), 404, "Tile not found.");
    },
  },
  {
    id: "D-082",
    section,
    statement: "`external_id` on either create call updates the tile it made on that board.",
    check: async function externalIdUpserts(t) {
      const external = t.nonce();
      const first = await t.tile({ external_id: external, content: "One" });
      equal(first["externalId"], external, "externalId");
      const second = await t.tile({ external_id: external, content: "Two" });
      equal([second.id, second["extractedText"]], [first.id, "Two"], "id and extractedText of the second call");
      const third = await t.inbound({ external_id: external, content: "Three" });
      equal(third.id, first.id, "id of the inbound call");
      equal(objectIn(await t.call("GET", `/api/board/tiles/${first.id}`), "tile")["extractedText"], "Three", "extractedText");
      const elsewhere = await t.tile({ external_id: external }, (await t.otherBoard()).id);
      holds(elsewhere.id !== first.id, "the same external_id on another board named the same tile");
    },
  },
  {
    id: "D-083",
    section: additions,
    statement: "GET of a tile with `wait` answers at once when it is not processing.",
    check: async function waitDoesNotHoldReadyTiles(t) {
      const { id } = await t.tile();
      const reply = await t.call("GET", `/api/board/tiles/${id}`, { query: { wait: 25 } });
      isStatus(reply, 200);
      holds(reply.milliseconds < 5000, `a ready tile was held for ${Math.round(reply.milliseconds)} ms`);
    },
  },
  {
    id: "D-123",
    section: additions,
    statement:
      "`POST /api/board/{boardId}/files` takes a multipart form with a file, and `zone_id` and `title`, and makes a processing tile.",
    check: async function takesAFile(t) {
      const zone = await t.zone();
      const field = (name: string, value: string): string => `--x1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const file = `--x1\r\nContent-Disposition: form-data; name="file"; filename="words.txt"\r\nContent-Type: text/plain\r\n\r\nSome words.\r\n`;
      const headers = { "content-type": "multipart/form-data; boundary=x1" };
      const send = (raw: string) => t.call("POST", `/api/board/${t.board.id}/files`, { raw: `${raw}--x1--\r\n`, headers });
      const tile = objectIn(await send(field("zone_id", zone.id) + file + field("title", "By hand")), "tile");
      equal([tile["zoneId"], tile["title"], tile["sourceUrl"]], [zone.id, "By hand", null], "zoneId, title and sourceUrl");
      holds(tile["status"] === "processing" || tile["status"] === "ready", "the tile is neither processing nor ready");
      isRefused(await send(field("title", "No file")), 400, "file is required.");
      isRefused(await send(field("zone_id", NO_ID) + file), 400, "The zone does not belong to this board.");
    },
  },
  {
    id: "D-084",
    section: additions,
    statement: "What was deleted can be restored for 30 days.",
    unchecked: "a month is longer than a run",
  },
  {
    id: "D-085",
    section,
    statement: "No tile stays in processing: an expired lease is tried again, and after the last try the tile fails.",
    unchecked: "takes a server to be killed in its work",
  },
];
