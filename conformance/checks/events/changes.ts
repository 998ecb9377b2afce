import { defineRequirements } from "../../requirement.ts";
import { assert, assertEqual, assertError, assertFields, assertMatch, assertStatus, getList, toObject, toText } from "../../expect.ts";
import type { JsonObject } from "../../expect.ts";
import type { Probe } from "../../probe.ts";

const WAIT_MS = 15_000;
const POLL_MS = 100;

const read = (t: Probe, query: Readonly<Record<string, string | number>>, key?: string) =>
  t.call("GET", "/api/changes", { query, ...(key === undefined ? {} : { key }) });

async function readCursor(t: Probe, query: Readonly<Record<string, string | number>>): Promise<string> {
  const reply = await read(t, query);
  assertStatus(reply, 200);
  return toText(toObject(reply.json, "the page")["nextCursor"], "nextCursor");
}

/** Reads the changes of a board after the cursor, page by page, until there are `count`. */
async function readChanges(t: Probe, boardId: string, start: string, count: number): Promise<readonly JsonObject[]> {
  const changes: JsonObject[] = [];
  const end = performance.now() + WAIT_MS;
  for (let cursor = start; changes.length < count && performance.now() < end;) {
    const reply = await read(t, { cursor, board_id: boardId, limit: 2 });
    assertStatus(reply, 200);
    const page = toObject(reply.json, "the page");
    assertFields(page, { nextCursor: "string", hasMore: "boolean" }, "the page");
    const found = getList(reply, "changes");
    changes.push(...found);
    cursor = toText(page["nextCursor"], "nextCursor");
    if (found.length === 0) await t.pause(POLL_MS);
  }
  return changes;
}

const getEvents = (changes: readonly JsonObject[]): readonly unknown[] => changes.map(({ event }) => event);

export const changeAdditions = defineRequirements("Change feed", {
  "A-701": {
    statement:
      "GET /api/changes returns creations, changes and deletions of tiles in their order, each once, with id, event, payload and at.",
    check: async function changesAreListedInOrder(t) {
      const { id: boardId } = await t.freshBoard();
      const cursor = await readCursor(t, { cursor: "now" });
      const tile = await t.tile({ title: "First", external_id: t.nonce() }, boardId);
      await t.change("tile", tile.id, { title: "Second" });
      assertStatus(await t.call("DELETE", `/api/board/tiles/${tile.id}`), 200);
      const changes = await readChanges(t, boardId, cursor, 3);
      assertEqual(getEvents(changes), ["tile.created", "tile.updated", "tile.deleted"], "events");
      for (const change of changes) {
        assertFields(change, { id: "string", event: "string", payload: "object", at: "time" }, "a change");
        const payload = toObject(change["payload"], "payload");
        assertMatch(payload, { tileId: tile.id, boardId, type: "TEXT", sourceUrl: null, zoneId: null, tags: [] }, "payload");
      }
      assertEqual(new Set(changes.map(({ id }) => id)).size, 3, "different ids");
      assertMatch(toObject(changes[0]?.["payload"], "payload"), { title: "First" }, "the first payload");
      assertMatch(toObject(changes[2]?.["payload"], "payload"), { title: "Second" }, "the last payload");
    },
  },
  "A-702": {
    statement: "cursor=now returns only a cursor, and wait holds an empty response until something happens.",
    check: async function changesCanBeAwaited(t) {
      const { id: boardId } = await t.freshBoard();
      const now = await read(t, { cursor: "now" });
      assertEqual(getList(now, "changes"), [], "changes of cursor=now");
      const cursor = toText(toObject(now.json, "the page")["nextCursor"], "nextCursor");
      const waiting = read(t, { cursor, board_id: boardId, wait: 15 });
      const tile = await t.tile({}, boardId);
      const [change] = getList(await waiting, "changes");
      assertMatch(toObject(change?.["payload"], "payload"), { tileId: tile.id }, "the awaited change");
    },
  },
  "A-703": {
    statement: "A cursor of another form is 400, as are other values of events, limit and wait; a key of a board sees only its changes.",
    check: async function changesAreChecked(t) {
      assertError(await read(t, { cursor: "AAAA" }), 400, "cursor is not valid.");
      for (const query of [{ events: "tile.eaten" }, { limit: 0 }, { limit: 501 }, { wait: 61 }])
        assertError(await read(t, query), 400, new RegExp(`^${Object.keys(query)[0]} `));
      const key = t.option("scopedKey");
      assertError(await read(t, { board_id: (await t.freshBoard()).id }, key), 403, "This API key is not authorized for this board.");
      const boards = new Set(getList(await read(t, {}, key), "changes").map(({ payload }) => toObject(payload, "payload")["boardId"]));
      assert(boards.size <= 1, "a key of a board sees changes of others");
    },
  },
  "A-601": {
    section: "Webhook subscriptions",
    statement: "A key that was not made with webhooks gets 403 with the permission message, and GET /api/me shows webhooks.",
    check: async function webhooksRequireTheirKey(t) {
      const me = toObject((await t.call("GET", "/api/me")).json, "me");
      assertFields(me, { webhooks: "boolean" }, "me");
      if (me["webhooks"] === true) return assertStatus(await t.call("GET", "/api/webhooks"), 200);
      const message = "This API key does not have the permission for this operation.";
      assertError(await t.call("GET", "/api/webhooks"), 403, message);
      assertError(await t.call("POST", "/api/webhooks", { body: {} }), 403, message);
    },
  },
});
