import { defineRequirements } from "../../requirement.ts";
import { assertMatch, assertEqual, assert, assertError, getList } from "../../expect.ts";
import type { Resource, Probe } from "../../probe.ts";

const INBOUND = "/api/inbound/tiles";

async function sendInbound(t: Probe, raw: string, type: string): Promise<Resource> {
  return t.created(await t.call("POST", INBOUND, { raw, headers: { "content-type": type } }), "tile");
}

const readTile = async (t: Probe, id: string) => await t.read("tile", id);

export const inboundAdditions = defineRequirements("Requests and errors › Inbound", {
  "D-094": {
    statement: "An empty string counts as absent, because automation platforms send it for unmapped fields.",
    check: async function emptyStringsCountAsAbsent(t) {
      const empty = { url: "", zone_id: "", title: "", external_id: "" };
      for (const { id } of [await t.inbound({ content: "Mapped", ...empty }), await t.tile({ content: "Mapped", ...empty })]) {
        const tile = await t.read("tile", id);
        assertMatch(tile, { title: "Untitled note", zoneId: null, extractedText: "Mapped", externalId: null }, "the tile");
      }
      assertError(await t.call("POST", INBOUND, { body: { board_id: "", content: "x" } }), 400, "board_id is required.");
    },
  },
  "D-095": {
    statement: "The inbound call also accepts form fields.",
    check: async function formFieldsAreAccepted(t) {
      const form = new URLSearchParams({ board_id: t.board.id, title: "Formulär", content: "A & B = 100 % ü", zone_id: "" });
      const tile = await readTile(t, (await sendInbound(t, form.toString(), "application/x-www-form-urlencoded")).id);
      assertMatch(tile, { title: "Formulär", extractedText: "A & B = 100 % ü", zoneId: null }, "the tile");
    },
  },
  "D-096": {
    statement: "Only the inbound call accepts JSON under any media type (`curl -d`).",
    check: async function jsonIsAcceptedUnderAnyType(t) {
      const raw = JSON.stringify({ board_id: t.board.id, title: "curl -d", content: "1 + 1 = 2 & more" });
      for (const type of [
        "text/plain;charset=UTF-8",
        "application/x-www-form-urlencoded",
        "application/octet-stream",
        "application/xml",
        "application/vnd.api+json",
      ]) {
        const tile = await readTile(t, (await sendInbound(t, raw, type)).id);
        assertMatch(tile, { title: "curl -d", extractedText: "1 + 1 = 2 & more" }, `the tile under ${type}`);
      }
      assertError(await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw, headers: { "content-type": "text/plain" } }), 415);
    },
  },
  "D-097": {
    section: "Resources › Tiles",
    statement: "A text tile without a title is named `Untitled note`, also if the inbound call created it.",
    check: async function inboundTextHasDefaultTitle(t) {
      const { id } = await t.inbound({ content: "Nameless" });
      assertEqual((await readTile(t, id))["title"], "Untitled note", "title");
    },
  },
  "D-098": {
    section: "Resources › Tiles",
    statement: "`POST /api/inbound/tiles/batch` accepts `tiles` and returns `results` with one `{ tile }` or `{ error }` per item.",
    check: async function batchReturnsEachResult(t) {
      const items = [
        { board_id: t.board.id, content: "First" },
        { board_id: t.board.id },
        { board_id: t.board.id, content: "Third", title: "Three" },
      ];
      const results = getList(await t.call("POST", `${INBOUND}/batch`, { body: { tiles: items } }), "results");
      assertEqual(results.length, 3, "number of results");
      const [first, second, third] = results;
      for (const result of [first, third]) {
        const tile = result?.["tile"] as Resource | undefined;
        assertMatch(tile, { status: "ready", type: "TEXT" }, "an item's tile");
        await t.call("DELETE", `/api/board/tiles/${tile?.id}`);
      }
      assertEqual(second?.["error"], "Either content or url must be provided.", "error of the item without content");
    },
  },
  "D-099": {
    section: "Resources › Tiles",
    statement: "A batch has at most 500 items.",
    check: async function batchIsLimited(t) {
      const items = Array.from({ length: 501 }, () => ({ board_id: t.board.id }));
      const reply = await t.call("POST", `${INBOUND}/batch`, { body: { tiles: items } });
      assert(reply.status === 400, `expected status 400 for 501 items, got ${reply.status}`);
      assertError(reply, 400);
    },
  },
});
