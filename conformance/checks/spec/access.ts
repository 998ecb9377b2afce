import { type Check, defineRequirements } from "../../requirement.ts";
import { assertEqual, assert, assertError, assertStatus, getList } from "../../expect.ts";
import type { Resource, Probe } from "../../probe.ts";
import { FORBIDDEN_BOARD, VIDEO_URL } from "./shapes.ts";
import { GENERATION_PATHS, hasGeneration } from "../../generation.ts";

/** A board that the scoped key cannot access. */
export async function boardOutOfScope(t: Probe): Promise<Resource> {
  const scope = t.option("scopedBoard");
  return t.board.id === scope ? t.otherBoard() : t.board;
}

const scopedKeyStaysOnItsBoard: Check = async (t) => {
  const key = t.option("scopedKey");
  const { id } = await boardOutOfScope(t);
  const body = { name: "x", content: "x", question: "x" };
  for (const [method, rest] of [
    ["GET", "zones"],
    ["POST", "zones"],
    ["GET", "tiles"],
    ["POST", "tiles"],
    ["POST", "ask"],
    ["GET", "ask?q=x"],
  ] as const) {
    assertError(await t.call(method, `/api/board/${id}/${rest}`, { key, ...(method === "POST" && { body }) }), 403, FORBIDDEN_BOARD);
  }
};

const scopedKeyListsItsBoard: Check = async (t) => {
  const boards = getList(await t.call("GET", "/api/board/boards", { key: t.option("scopedKey") }), "boards");
  assertEqual(
    boards.map((board) => board["id"]),
    [t.option("scopedBoard")],
    "boards of the scoped key",
  );
};

export const accessRequirements = defineRequirements("Authentication", {
  "S-062": {
    section: "Endpoints; Authentication",
    statement: "Every endpoint requires an API key in `X-API-Key`.",
    check: async function everyEndpointRequiresKey(t) {
      const [zone, tile] = [await t.zone(), await t.tile()];
      const b = `/api/board/${t.board.id}`;
      for (const [method, path] of [
        ["GET", "/api/board/boards"],
        ["GET", `${b}/zones`],
        ["POST", `${b}/zones`],
        ["GET", `${b}/tiles`],
        ["POST", `${b}/tiles`],
        ["POST", `${b}/ask`],
        ["GET", `${b}/ask?q=x`],
        ["PATCH", `/api/board/zones/${zone.id}`],
        ["DELETE", `/api/board/zones/${zone.id}`],
        ["PATCH", `/api/board/tiles/${tile.id}`],
        ["DELETE", `/api/board/tiles/${tile.id}`],
        ["POST", "/api/inbound/tiles"],
        ...((await hasGeneration(t)) ? GENERATION_PATHS.map((path) => ["POST", path] as const) : []),
      ] as const) {
        const reply = await t.call(method, path, { key: null, ...(method === "POST" && { body: {} }) });
        assert(
          reply.status === 401 || reply.status === 403,
          `${method} ${path} without a key: expected status 401 or 403, got ${reply.status}`,
        );
      }
    },
  },
  "S-063": {
    section: "Endpoints",
    statement: "All response bodies are JSON, including errors.",
    check: async function bodiesAreJson(t) {
      for (const reply of [
        await t.call("GET", "/api/board/boards"),
        await t.call("GET", `/api/board/${t.board.id}/tiles`),
        await t.call("POST", `/api/board/${t.board.id}/zones`, { body: {} }),
        await t.call("GET", "/api/board/boards", { key: null }),
      ]) {
        assert(
          /^application\/json\b/.test(reply.headers["content-type"] ?? ""),
          `${reply.path}: expected application/json, got ${reply.headers["content-type"]}`,
        );
        assert(reply.json !== undefined, `${reply.path}: the body is not JSON`);
      }
    },
  },
  "S-064": {
    section: "Errors",
    statement: "Error bodies have the form `{ error: <message> }`.",
    check: async function errorsHaveOneForm(t) {
      assertError(await t.call("PATCH", "/api/board/tiles/none", { body: { title: "x" } }), 404);
      assertError(await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: {} }), 400);
    },
  },
  "S-065": {
    section: "Endpoints › List boards",
    statement: "With a board-scoped key, the listing has only its board.",
    check: scopedKeyListsItsBoard,
  },
  "S-066": {
    statement: "A board-scoped key receives 403 for any other board.",
    check: scopedKeyStaysOnItsBoard,
  },
  "S-067": {
    section: "Endpoints",
    statement: "Every endpoint that targets a board applies the board-scope check.",
    check: scopedKeyStaysOnItsBoard,
  },
  "S-068": {
    section: "Errors",
    statement: "A board-scoped key receives 403 `This API key is not authorized for this board.` for another board.",
    check: scopedKeyStaysOnItsBoard,
  },
  "S-069": {
    section: "Endpoints; Authentication",
    statement: "The scope also applies to zones and tiles in the path, and to the board of an inbound call.",
    check: async function scopeAppliesToZonesAndTiles(t) {
      const key = t.option("scopedKey");
      const { id } = await boardOutOfScope(t);
      const [zone, tile] = [await t.zone({}, id), await t.tile({}, id)];
      for (const path of [`/api/board/zones/${zone.id}`, `/api/board/tiles/${tile.id}`]) {
        assertError(await t.call("PATCH", path, { key, body: { name: "x", title: "x" } }), 403, FORBIDDEN_BOARD);
        assertError(await t.call("DELETE", path, { key }), 403, FORBIDDEN_BOARD);
      }
      assertError(await t.call("POST", "/api/inbound/tiles", { key, body: { board_id: id, content: "x" } }), 403, FORBIDDEN_BOARD);
      assertError(await t.call("POST", "/api/inbound/tiles", { key, body: { board_id: id, url: VIDEO_URL } }), 403, FORBIDDEN_BOARD);
    },
  },
  "S-070": {
    statement: "A board-scoped key works on its own board.",
    check: async function scopedKeyWorksOnItsBoard(t) {
      const key = t.option("scopedKey");
      assertStatus(await t.call("GET", `/api/board/${t.option("scopedBoard")}/zones`, { key }), 200);
      assertStatus(await t.call("GET", `/api/board/${t.option("scopedBoard")}/tiles`, { key }), 200);
    },
  },
  "S-071": {
    statement: "An unscoped key can reach any board of the business.",
    check: async function unscopedKeyReachesEveryBoard(t) {
      const boards = getList(await t.call("GET", "/api/board/boards"), "boards");
      for (const board of boards.slice(0, 20)) assertStatus(await t.call("GET", `/api/board/${String(board["id"])}/zones`), 200);
    },
  },
  "S-072": {
    statement: "Keys are created in the business settings (API Keys section).",
    unchecked: "settings are not part of the interface",
  },
  "S-073": {
    statement: "The scope of a key is set when it is created.",
    unchecked: "creating keys is not part of the interface",
  },
  "S-074": {
    section: "Resources",
    statement: "Identifiers are opaque strings.",
    unchecked: "opaqueness concerns clients; the type is checked with each resource",
  },
});
