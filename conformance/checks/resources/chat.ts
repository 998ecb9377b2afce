import { defineRequirements } from "../../requirement.ts";
import { assertMatch, toObject, assertEqual, assert, assertError, getList, getObject } from "../../expect.ts";
import type { Probe } from "../../probe.ts";

const NO_ID = "none_00000000000000000000000000";

const patch = (t: Probe, id: string, body: object) => t.call("PATCH", `/api/board/tiles/${id}`, { body });

/** Returns the ids of the tiles that the answer cites. */
async function listCitedTiles(t: Probe, boardId: string, question: string): Promise<readonly string[]> {
  const reply = await t.call("POST", `/api/board/${boardId}/ask`, { body: { question } });
  return getList(reply, "citations").map((item) => String(toObject(item, "a citation")["tileId"]));
}

async function searchBoard(t: Probe, boardId: string, q: string, query: Record<string, string> = {}) {
  return getList(await t.call("GET", `/api/board/${boardId}/search`, { query: { q, ...query } }), "results");
}

export const chatAdditions = defineRequirements("Creating tiles", {
  "A-201": {
    statement:
      "connected_to_chat of a tile is null by default, is accepted by create calls and PATCH in both spellings, and is returned as connectedToChat.",
    check: async function tilesHaveConnectedToChat(t) {
      const tile = await t.tile({ content: "Plain" });
      assertEqual(tile["connectedToChat"], null, "connectedToChat of a plain tile");
      assertEqual((await t.tile({ content: "Off", connected_to_chat: false }))["connectedToChat"], false, "connectedToChat of a create");
      assertEqual((await t.tile({ content: "On", connectedToChat: "true" }))["connectedToChat"], true, "connectedToChat by its alias");
      for (const value of [false, true, null])
        assertEqual(
          getObject(await patch(t, tile.id, { connected_to_chat: value }), "tile")["connectedToChat"],
          value,
          "connectedToChat of a PATCH",
        );
      for (const value of [1, "yes", []])
        for (const reply of [
          await patch(t, tile.id, { connected_to_chat: value }),
          await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { content: "x", connected_to_chat: value } }),
        ])
          assertError(reply, 400, "connected_to_chat must be a boolean.");
    },
  },
  "A-202": {
    statement: "With false a tile is never used in answers, with true if its zone is connected; a change applies to the next question.",
    check: async function connectedToChatAppliesToNextQuestion(t) {
      const { id: boardId } = await t.freshBoard();
      const zone = await t.zone({}, boardId);
      const subject = t.nonce();
      const question = `What is the colour of ${subject}?`;
      const { id } = await t.tile({ content: `The colour of ${subject} is violet.`, zone_id: zone.id }, boardId);
      const isCited = async (): Promise<boolean> => (await listCitedTiles(t, boardId, question)).includes(id);
      for (const [own, isZoneConnected, expected] of [
        [null, true, true],
        [true, true, true],
        [false, true, false],
        [null, false, false],
        [true, false, false],
        [false, false, false],
      ] as const) {
        await patch(t, id, { connected_to_chat: own });
        await t.change("zone", zone.id, { connected_to_chat: isZoneConnected });
        const what = `with ${own} in a zone with ${isZoneConnected}`;
        assertEqual(await isCited(), expected, `cited ${what}`);
        assertEqual((await searchBoard(t, boardId, subject)).length > 0, expected, `found ${what}`);
        const [row] = await searchBoard(t, boardId, subject, { scope: "all" });
        assertMatch(row, { tileId: id, connected: expected, status: "ready" }, `the row ${what}`);
      }
    },
  },
  "A-203": {
    statement: "Saved answers and generations (metadata.origin) start with connectedToChat false.",
    check: async function savedAnswersAreNotConnected(t) {
      for (const origin of ["answer", "generation"]) {
        const tile = await t.tile({ content: "Saved", origin });
        assertEqual(
          [tile["connectedToChat"], toObject(tile["metadata"], "metadata")["origin"]],
          [false, origin],
          "connectedToChat and origin",
        );
      }
      assertEqual(
        (await t.tile({ content: "Saved", origin: "answer", connected_to_chat: true }))["connectedToChat"],
        true,
        "connectedToChat",
      );
    },
  },
  "A-204": {
    statement: "Order of checks: existence (404) before the values of a PATCH; inbound: values (400) before the board's existence (404).",
    check: async function connectedToChatIsCheckedInOrder(t) {
      assertError(await patch(t, NO_ID, { connected_to_chat: "maybe" }), 404, "Tile not found.");
      assertError(await t.call("POST", `/api/board/${NO_ID}/tiles`, { body: { content: "x", origin: "me" } }), 404, "Board not found.");
      const body = { board_id: NO_ID, content: "x", connected_to_chat: "maybe" };
      assertError(await t.call("POST", "/api/inbound/tiles", { body }), 400, "connected_to_chat must be a boolean.");
      assertError(await t.call("POST", "/api/inbound/tiles", { body: { ...body, connected_to_chat: null } }), 404, "Board not found.");
    },
  },
  "A-801": {
    section: "Asking and searching",
    statement:
      "`search?scope=all` also finds tiles of disconnected zones, and each result has connected; the default is connected content only.",
    check: async function searchesEverything(t) {
      const { id: boardId } = await t.freshBoard();
      const hidden = await t.zone({ connected_to_chat: false }, boardId);
      const word = t.nonce();
      const open = await t.tile({ content: `An open ${word}.` }, boardId);
      const closed = await t.tile({ content: `A closed ${word}.`, zone_id: hidden.id }, boardId);
      assertEqual(
        (await searchBoard(t, boardId, word)).map((row) => row["tileId"]),
        [open.id],
        "tiles found by default",
      );
      const rows = await searchBoard(t, boardId, word, { scope: "all" });
      const connected = new Map(rows.map((row) => [row["tileId"], row["connected"]]));
      assertEqual([rows.length, connected.get(open.id), connected.get(closed.id)], [2, true, false], "rows, and connected of each");
      assertError(await t.call("GET", `/api/board/${boardId}/search`, { query: { q: word, scope: "some" } }), 400, /^scope /);
    },
  },
  "A-802": {
    section: "Asking and searching",
    statement: "With scope=all, a tile that is processing or failed is found by its title and URL, with an empty quote.",
    check: async function searchFindsTilesWithoutText(t) {
      const { id: boardId } = await t.freshBoard();
      const [title, path] = [t.nonce(), t.nonce()];
      const url = `https://host.invalid/${path}`;
      const { id } = await t.tile({ content: undefined, url, title: `About ${title}` }, boardId);
      for (const word of [title, path]) {
        const [row] = await searchBoard(t, boardId, word, { scope: "all" });
        assert(row !== undefined, `the tile is not found by its ${word === title ? "title" : "URL"}`);
        assertMatch(row, { tileId: id, quote: "" }, "the row");
        assert(["processing", "failed"].includes(String(row["status"])), `unexpected status ${String(row["status"])}`);
      }
    },
  },
});
