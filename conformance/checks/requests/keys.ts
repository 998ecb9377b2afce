import { defineRequirements } from "../../requirement.ts";
import { toObject, assertEqual, assertFields, assert, assertError, assertStatus, getList } from "../../expect.ts";
import { FORBIDDEN_BOARD, FORBIDDEN_PERMISSION, NO_ID } from "../spec/shapes.ts";

const MISSING = "Missing API key. Send it in the X-API-Key header.";
const INVALID = "Invalid API key.";
const BOARDS = "/api/board/boards";

export const keyRequirements = defineRequirements("Requests and errors", {
  "D-015": {
    statement:
      "A call without a key returns 401 `Missing API key. Send it in the X-API-Key header.`, an unknown key 401 `Invalid API key.`",
    check: async function missingAndInvalidKeys(t) {
      assertError(await t.call("GET", BOARDS, { key: null }), 401, MISSING);
      assertError(await t.call("POST", "/api/inbound/tiles", { key: null, body: { board_id: t.board.id, content: "x" } }), 401, MISSING);
      for (const key of [
        "x",
        "tsr_",
        `tsr_${"0".repeat(38)}`,
        `${t.option("key")}x`,
        t.option("key").slice(0, -1),
        t.option("key").toUpperCase() + "!",
      ]) {
        assertError(await t.call("GET", BOARDS, { key }), 401, INVALID);
      }
    },
  },
  "D-016": {
    statement: "`Authorization: Bearer <key>` is accepted as well.",
    check: async function bearerIsAccepted(t) {
      assertStatus(await t.call("GET", BOARDS, { key: null, headers: { authorization: `Bearer ${t.option("key")}` } }), 200);
      assertError(await t.call("GET", BOARDS, { key: null, headers: { authorization: "Bearer wrong" } }), 401, INVALID);
    },
  },
  "D-017": {
    statement: "A key in a query string is not accepted.",
    check: async function keyInQueryIsRejected(t) {
      for (const name of ["api_key", "apiKey", "key", "token", "x-api-key", "X-API-Key", "access_token"]) {
        assertError(await t.call("GET", BOARDS, { key: null, query: { [name]: t.option("key") } }), 401, MISSING);
      }
    },
  },
  "D-018": {
    statement: "The inbound endpoint requires a key.",
    check: async function inboundRequiresKey(t) {
      assertError(await t.call("POST", "/api/inbound/tiles", { key: null, body: { board_id: t.board.id, content: "x" } }), 401, MISSING);
      assertError(await t.call("POST", "/api/inbound/tiles", { key: "wrong", body: { board_id: t.board.id, content: "x" } }), 401, INVALID);
    },
  },
  "D-019": {
    statement: "`GET /api/me` describes the key: business, scope, permission and expiry.",
    check: async function meDescribesTheKey(t) {
      const reply = await t.call("GET", "/api/me");
      assertStatus(reply, 200);
      const me = toObject(reply.json, "the body");
      assert(/"permission":\s*"write"/.test(reply.text), `expected permission write, got ${reply.text}`);
      for (const name of ["business", "expire"])
        assert(reply.text.toLowerCase().includes(name), `expected the response to contain ${name}, got ${reply.text}`);
      assert(!reply.text.includes(t.option("key")), "the response contains the key");
      assertFields({ me }, { me: "object" }, "the body");
      assertError(await t.call("GET", "/api/me", { key: null }), 401, MISSING);
    },
  },
  "D-020": {
    statement: "`GET /api/me` works with a key of every permission and scope.",
    check: async function meWorksForEveryKey(t) {
      assertStatus(await t.call("GET", "/api/me", { key: t.option("readKey") }), 200);
      assertStatus(await t.call("GET", "/api/me", { key: t.option("inboundKey") }), 200);
      const scoped = await t.call("GET", "/api/me", { key: t.option("scopedKey") });
      assertStatus(scoped, 200);
      assert(scoped.text.includes(t.option("scopedBoard")), `expected the board of the scope in ${scoped.text}`);
    },
  },
  "D-021": {
    statement: "A board-scoped key gets 403 for every other board id, whether the board exists or not.",
    check: async function scopedKeyGets403ForOtherBoards(t) {
      const key = t.option("scopedKey");
      for (const rest of ["zones", "tiles", "ask?q=x", "search?q=x"])
        assertError(await t.call("GET", `/api/board/${NO_ID}/${rest}`, { key }), 403, FORBIDDEN_BOARD);
    },
  },
  "D-022": {
    section: "People and keys",
    statement: "A read key lists, reads and searches; asking and writing return 403 with the permission message.",
    check: async function readKeyOnlyReads(t) {
      const key = t.option("readKey");
      const [zone, tile] = [await t.zone(), await t.tile()];
      const b = `/api/board/${t.board.id}`;
      for (const path of [
        BOARDS,
        `${b}/zones`,
        `${b}/tiles`,
        `/api/board/tiles/${tile.id}`,
        `/api/board/zones/${zone.id}`,
        `${b}/search?q=x`,
      ]) {
        assertStatus(await t.call("GET", path, { key }), 200);
      }
      for (const [method, path] of [
        ["POST", `${b}/zones`],
        ["POST", `${b}/tiles`],
        ["PATCH", `/api/board/zones/${zone.id}`],
        ["DELETE", `/api/board/zones/${zone.id}`],
        ["PATCH", `/api/board/tiles/${tile.id}`],
        ["DELETE", `/api/board/tiles/${tile.id}`],
        ["POST", `${b}/ask`],
        ["GET", `${b}/ask?q=x`],
      ] as const) {
        const body = { name: "x", content: "x", title: "x", question: "x" };
        assertError(await t.call(method, path, { key, ...(["POST", "PATCH"].includes(method) && { body }) }), 403, FORBIDDEN_PERMISSION);
      }
      assertError(
        await t.call("POST", "/api/inbound/tiles", { key, body: { board_id: t.board.id, content: "x" } }),
        403,
        FORBIDDEN_PERMISSION,
      );
    },
  },
  "D-023": {
    section: "People and keys",
    statement: "An inbound key can only create tiles through the inbound calls.",
    check: async function inboundKeyOnlyCreates(t) {
      const key = t.option("inboundKey");
      const tile = await t.inbound({ content: "By an inbound key" }, { key });
      assertEqual(tile["status"], "ready", "status");
      const b = `/api/board/${t.board.id}`;
      for (const path of [`${b}/zones`, `${b}/tiles`, `/api/board/tiles/${tile.id}`, `${b}/ask?q=x`]) {
        assertError(await t.call("GET", path, { key }), 403, FORBIDDEN_PERMISSION);
      }
      assertError(await t.call("POST", `${b}/tiles`, { key, body: { content: "x" } }), 403, FORBIDDEN_PERMISSION);
      assertError(await t.call("DELETE", `/api/board/tiles/${tile.id}`, { key }), 403, FORBIDDEN_PERMISSION);
    },
  },
  "D-024": {
    statement: "Responses have the headers `RateLimit` and `RateLimit-Policy`.",
    check: async function responsesHaveRateLimitHeaders(t) {
      const reply = await t.call("GET", BOARDS);
      getList(reply, "boards");
      for (const name of ["ratelimit", "ratelimit-policy"]) assert(Boolean(reply.headers[name]), `no ${name} header`);
    },
  },
  "D-025": {
    statement: "The limit is 6,000 requests per minute (ask, generate, idea: 120); more return 429 with `Retry-After`.",
    unchecked: "would block the key of the tester for a minute",
  },
  "D-026": {
    statement: "Revoked and expired keys return the error of unknown ones; resources of another business return 404.",
    unchecked: "requires revoked keys, expired keys and keys of another business",
  },
  "D-027": {
    section: "People and keys",
    statement: "An API key is `tsr_`, 32 base62 characters and a checksum of 6. It is shown once and stored as a hash.",
    unchecked: "other servers may use another format, and storage is not visible over HTTP",
  },
});
