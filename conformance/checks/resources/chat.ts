import type { Requirement } from "../../requirement.ts";
import { asFields, equal, holds, isRefused, listIn, objectIn } from "../../expect.ts";
import type { Probe } from "../../probe.ts";

const NO_ID = "none_00000000000000000000000000";

const patch = (t: Probe, id: string, body: object) => t.call("PATCH", `/api/board/tiles/${id}`, { body });

/** The ids of the tiles that an answer cites. */
async function cited(t: Probe, boardId: string, question: string): Promise<readonly string[]> {
  const reply = await t.call("POST", `/api/board/${boardId}/ask`, { body: { question } });
  return listIn(reply, "citations").map((item) => String(asFields(item, "a citation")["tileId"]));
}

async function found(t: Probe, boardId: string, q: string, query: Record<string, string> = {}) {
  return listIn(await t.call("GET", `/api/board/${boardId}/search`, { query: { q, ...query } }), "results");
}

export const chatAdditions: readonly Requirement[] = [
  {
    id: "A-201",
    section: "Creating tiles",
    statement:
      "connected_to_chat of a tile is null by default, is taken by create and PATCH, in either spelling, and shown as connectedToChat.",
    check: async function tilesHaveASwitch(t) {
      const tile = await t.tile({ content: "Plain" });
      equal(tile["connectedToChat"], null, "connectedToChat of a plain tile");
      equal((await t.tile({ content: "Off", connected_to_chat: false }))["connectedToChat"], false, "connectedToChat of a create");
      equal((await t.tile({ content: "On", connectedToChat: "true" }))["connectedToChat"], true, "connectedToChat by its alias");
      for (const value of [false, true, null])
        equal(
          objectIn(await patch(t, tile.id, { connected_to_chat: value }), "tile")["connectedToChat"],
          value,
          "connectedToChat of a PATCH",
        );
      for (const value of [1, "yes", []])
        isRefused(await patch(t, tile.id, { connected_to_chat: value }), 400, "connected_to_chat must be a boolean.");
    },
  },
  {
    id: "A-202",
    section: "Creating tiles",
    statement: "false never feeds chat, true feeds it where the zone does; the next question knows.",
    check: async function theSwitchHoldsAtOnce(t) {
      const { id: boardId } = await t.freshBoard();
      const zone = await t.zone({}, boardId);
      const subject = t.nonce();
      const question = `What is the colour of ${subject}?`;
      const { id } = await t.tile({ content: `The colour of ${subject} is violet.`, zone_id: zone.id }, boardId);
      const isCited = async (): Promise<boolean> => (await cited(t, boardId, question)).includes(id);
      equal(await isCited(), true, "cited by default");
      await patch(t, id, { connected_to_chat: false });
      equal(await isCited(), false, "cited with false");
      equal((await found(t, boardId, subject)).length, 0, "found with false");
      await patch(t, id, { connected_to_chat: true });
      equal(await isCited(), true, "cited with true");
      await t.call("PATCH", `/api/board/zones/${zone.id}`, { body: { connected_to_chat: false } });
      equal(await isCited(), false, "cited with true in a disconnected zone");
    },
  },
  {
    id: "A-203",
    section: "Creating tiles",
    statement: "Saved answers and generations (metadata.origin) start with connectedToChat false.",
    check: async function savedAnswersStartOff(t) {
      for (const origin of ["answer", "generation"]) {
        const tile = await t.tile({ content: "Saved", origin });
        equal([tile["connectedToChat"], asFields(tile["metadata"], "metadata")["origin"]], [false, origin], "connectedToChat and origin");
      }
      equal((await t.tile({ content: "Saved", origin: "answer", connected_to_chat: true }))["connectedToChat"], true, "connectedToChat");
    },
  },
  {
    id: "A-204",
    section: "Creating tiles",
    statement: "Order of checks: existence (404) before the values of a PATCH; inbound: values (400) before the board's existence (404).",
    check: async function theSwitchIsCheckedInOrder(t) {
      isRefused(await patch(t, NO_ID, { connected_to_chat: "maybe" }), 404, "Tile not found.");
      isRefused(await t.call("POST", `/api/board/${NO_ID}/tiles`, { body: { content: "x", origin: "me" } }), 404, "Board not found.");
      const body = { board_id: NO_ID, content: "x", connected_to_chat: "maybe" };
      isRefused(await t.call("POST", "/api/inbound/tiles", { body }), 400, "connected_to_chat must be a boolean.");
      isRefused(await t.call("POST", "/api/inbound/tiles", { body: { ...body, connected_to_chat: null } }), 404, "Board not found.");
    },
  },
  {
    id: "A-801",
    section: "Asking and searching",
    statement:
      "`search?scope=all` also finds tiles of disconnected zones, each result carries connected; the default stays connected content.",
    check: async function searchesEverything(t) {
      const { id: boardId } = await t.freshBoard();
      const hidden = await t.zone({ connected_to_chat: false }, boardId);
      const word = t.nonce();
      const open = await t.tile({ content: `An open ${word}.` }, boardId);
      const closed = await t.tile({ content: `A closed ${word}.`, zone_id: hidden.id }, boardId);
      equal(
        (await found(t, boardId, word)).map((row) => row["tileId"]),
        [open.id],
        "tiles found by default",
      );
      const rows = await found(t, boardId, word, { scope: "all" });
      const connected = new Map(rows.map((row) => [row["tileId"], row["connected"]]));
      equal([rows.length, connected.get(open.id), connected.get(closed.id)], [2, true, false], "rows, and connected of each");
      isRefused(await t.call("GET", `/api/board/${boardId}/search`, { query: { q: word, scope: "some" } }), 400, /^scope /);
    },
  },
  {
    id: "A-802",
    section: "Asking and searching",
    statement: "With scope=all a tile that is processing or failed is found by its title and address, with an empty quote.",
    check: async function searchFindsTilesWithoutText(t) {
      const { id: boardId } = await t.freshBoard();
      const [title, path] = [t.nonce(), t.nonce()];
      const url = `https://host.invalid/${path}`;
      const { id } = await t.tile({ content: undefined, url, title: `About ${title}` }, boardId);
      for (const word of [title, path]) {
        const [row] = await found(t, boardId, word, { scope: "all" });
        holds(row !== undefined, `nothing is found by ${word === title ? "title" : "address"}`);
        equal([row["tileId"], row["quote"]], [id, ""], "tileId and quote");
        holds(["processing", "failed"].includes(String(row["status"])), `unexpected status ${String(row["status"])}`);
      }
    },
  },
];
