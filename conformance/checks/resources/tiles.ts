import { defineRequirements } from "../../requirement.ts";
import { assertMatch, assertEqual, assertFields, assert, assertError, assertStatus, getObject } from "../../expect.ts";
import { NO_ID, TILE_ROW } from "../spec/shapes.ts";

export const tileAdditions = defineRequirements("Resources › Tiles", {
  "D-073": {
    statement:
      "A full tile has boardId, rawContent, sourceUrl, metadata, error, warnings, sortOrder and externalId in addition to the fields of the specification.",
    check: async function fullTileHasItsFields(t) {
      const created = await t.tile({ content: "Whole" });
      const tile = await t.read("tile", created.id);
      assertEqual(tile, created, "the tile as it is read, and as it was created");
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
      assertFields(tile, { ...TILE_ROW, ...more }, "the tile");
      const { createdAt } = created;
      const text = {
        boardId: t.board.id,
        zoneId: null,
        rawContent: "Whole",
        extractedText: "Whole",
        sourceUrl: null,
        updatedAt: createdAt,
      };
      assertEqual({ ...tile, ...text, metadata: {}, error: null, warnings: [], externalId: null }, tile, "a text tile");
    },
  },
  "D-074": {
    statement: "The listing adds sourceUrl, error and sortOrder.",
    check: async function listingHasAdditions(t) {
      const { id } = await t.tile();
      const row = (await t.list("tiles")).find((item) => item["id"] === id);
      assertFields(
        row ?? {},
        { sourceUrl: "string?", error: "object?", sortOrder: "number", externalId: "string?" },
        "the tile in the listing",
      );
    },
  },
  "D-075": {
    section: "Resources › Additions",
    statement: "PATCH with zone_id moves a tile; null removes it from its zone; a zone of another board returns 400.",
    check: async function movesTile(t) {
      const [from, to] = [await t.zone(), await t.zone()];
      const { id } = await t.tile({ zone_id: from.id });
      const patch = (body: object) => t.call("PATCH", `/api/board/tiles/${id}`, { body });
      assertEqual(getObject(await patch({ zoneId: to.id }), "tile")["zoneId"], to.id, "zoneId after the move");
      assertEqual(getObject(await patch({ zone_id: "" }), "tile")["zoneId"], to.id, "zoneId after an empty string");
      const foreign = await t.zone({}, (await t.otherBoard()).id);
      for (const zone of [foreign.id, NO_ID]) assertError(await patch({ zone_id: zone }), 400, "The zone does not belong to this board.");
      assertEqual(getObject(await patch({ title: "Not moved" }), "tile")["zoneId"], to.id, "zoneId after a PATCH without it");
      assertEqual(getObject(await patch({ zone_id: null }), "tile")["zoneId"], null, "zoneId after null");
    },
  },
  "D-076": {
    section: "Resources › Additions",
    statement: "PATCH with sort_order sets the position of a tile.",
    check: async function setsTilePosition(t) {
      const { id } = await t.tile();
      assertEqual((await t.change("tile", id, { sort_order: 12 }))["sortOrder"], 12, "sortOrder");
    },
  },
  "D-077": {
    statement: "A PATCH changes updatedAt but not createdAt.",
    check: async function patchChangesUpdatedAt(t) {
      const created = await t.tile();
      await t.pause(10);
      const tile = await t.change("tile", created.id, { title: "Later" });
      assertEqual(tile["createdAt"], created["createdAt"], "createdAt");
      assert(
        String(tile["updatedAt"]) > String(created["updatedAt"]),
        `expected updatedAt after ${String(created["updatedAt"])}, got ${String(tile["updatedAt"])}`,
      );
    },
  },
  "D-078": {
    statement: "An `If-Match` that does not match returns 412 and changes nothing; the current `ETag` matches.",
    check: async function ifMatchIsChecked(t) {
      for (const [noun, field, { id }] of [
        ["tile", "title", await t.tile()],
        ["zone", "name", await t.zone()],
      ] as const) {
        const path = `/api/board/${noun}s/${id}`;
        const patch = (value: string, tag: string) => t.call("PATCH", path, { body: { [field]: value }, headers: { "if-match": tag } });
        const tag = (await t.call("GET", path)).headers.etag;
        assert(tag !== undefined, `GET of a ${noun} has no ETag`);
        const first = await patch("First", tag);
        assertStatus(first, 200);
        for (const stale of [tag, '"not-this-version"', 'W/"1"', '"x", W/"1"', "1"]) assertError(await patch("Lost", stale), 412);
        assertError(await t.call("DELETE", path, { headers: { "if-match": tag } }), 412);
        assertEqual((await t.read(noun, id))[field], "First", `${field} after the rejected calls`);
        assertStatus(await patch("Second", `"x", ${first.headers.etag}`), 200);
        assertStatus(await patch("Third", "*"), 200);
      }
    },
  },
  "D-079": {
    section: "Requests and errors",
    statement: "Reading, updating and deleting a missing tile returns 404 `Tile not found.`, also when deleting twice.",
    check: async function missingTileIs404ForEveryMethod(t) {
      const { id } = await t.tile();
      assertStatus(await t.call("DELETE", `/api/board/tiles/${id}`), 200);
      for (const missing of [id, NO_ID]) {
        assertError(await t.call("GET", `/api/board/tiles/${missing}`), 404, "Tile not found.");
        assertError(await t.call("PATCH", `/api/board/tiles/${missing}`, { body: { title: "x" } }), 404, "Tile not found.");
        assertError(await t.call("DELETE", `/api/board/tiles/${missing}`), 404, "Tile not found.");
      }
    },
  },
  "D-080": {
    section: "Resources › Additions",
    statement: "`POST …/restore` restores a deleted tile.",
    check: async function tileIsRestored(t) {
      const { id: zoneId } = await t.zone();
      const { id } = await t.tile({ content: "Back again", zone_id: zoneId });
      await t.call("DELETE", `/api/board/tiles/${id}`);
      assertEqual(await t.list("tiles", { zone_id: zoneId }), [], "tiles of the zone");
      const restored = await t.call("POST", `/api/board/tiles/${id}/restore`);
      assertEqual((await t.call("POST", `/api/board/tiles/${id}/restore`)).json, restored.json, "the response to a second restore");
      assertEqual(getObject(restored, "tile")["zoneId"], zoneId, "zoneId");
      assertEqual((await t.read("tile", id))["extractedText"], "Back again", "extractedText");
    },
  },
  "D-081": {
    statement: "Retrying a text tile returns 409.",
    check: async function textTileIsNotRetried(t) {
      const { id } = await t.tile();
      assertError(await t.call("POST", `/api/board/tiles/${id}/retry`), 409);
      assertError(await t.call("POST", `/api/board/tiles/${NO_ID}/retry`), 404, "Tile not found.");
    },
  },
  "D-082": {
    statement: "A create call with the `external_id` of a tile updates that tile; the same id on another board is another tile.",
    check: async function externalIdUpserts(t) {
      const external = t.nonce();
      const { id: zoneId } = await t.zone();
      const first = await t.tile({ external_id: external, content: "One", title: "Kept", zone_id: zoneId });
      assertEqual(first["externalId"], external, "externalId");
      const second = await t.tile({ external_id: external, content: "Two" });
      const { updatedAt } = second;
      assertEqual(second, { ...first, rawContent: "Two", extractedText: "Two", updatedAt }, "the tile after the second call");
      const third = await t.inbound({ external_id: external, content: "Three" });
      assertEqual(third.id, first.id, "id of the inbound call");
      assertEqual((await t.read("tile", first.id))["extractedText"], "Three", "extractedText");
      const elsewhere = await t.tile({ external_id: external }, (await t.otherBoard()).id);
      assert(elsewhere.id !== first.id, "the same external_id on another board updated the same tile");
      await t.call("DELETE", `/api/board/tiles/${first.id}`);
      assert((await t.tile({ external_id: external })).id !== first.id, "the external_id of a deleted tile updated it");
    },
  },
  "D-083": {
    section: "Resources › Additions",
    statement: "GET of a tile with `wait` responds immediately if the tile is not processing.",
    check: async function waitReturnsReadyTilesImmediately(t) {
      const { id } = await t.tile();
      const reply = await t.call("GET", `/api/board/tiles/${id}`, { query: { wait: 25 } });
      assertStatus(reply, 200);
      assert(reply.milliseconds < 5000, `the response for a ready tile took ${Math.round(reply.milliseconds)} ms`);
    },
  },
  "D-123": {
    section: "Resources › Additions",
    statement:
      "`POST /api/board/{boardId}/files` accepts a multipart form with a file, `zone_id` and `title`, and creates a tile that is processing.",
    check: async function uploadsFile(t) {
      const zone = await t.zone();
      const field = (name: string, value: string): string => `--x1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const file = `--x1\r\nContent-Disposition: form-data; name="file"; filename="words.txt"\r\nContent-Type: text/plain\r\n\r\nSome words.\r\n`;
      const headers = { "content-type": "multipart/form-data; boundary=x1" };
      const send = (raw: string) => t.call("POST", `/api/board/${t.board.id}/files`, { raw: `${raw}--x1--\r\n`, headers });
      const tile = getObject(await send(field("zone_id", zone.id) + file + field("title", "Chosen title")), "tile");
      assertMatch(tile, { zoneId: zone.id, title: "Chosen title", sourceUrl: null }, "the tile");
      assert(tile["status"] === "processing" || tile["status"] === "ready", "the tile is neither processing nor ready");
      assertError(await send(field("title", "No file")), 400, "file is required.");
      assertError(await send(field("zone_id", NO_ID) + file), 400, "The zone does not belong to this board.");
    },
  },
  "D-084": { section: "Resources › Additions", statement: "Deleted content can be restored for 30 days.", unchecked: "takes 30 days" },
  "D-085": {
    statement: "No tile stays in processing: a job with an expired lease is retried, and the tile fails after the last attempt.",
    unchecked: "requires killing the server during ingestion",
  },
});
