import type { Requirement } from "../../requirement.ts";
import { asFields, equal, hasFields, holds, isRefused, isStatus, listIn } from "../../expect.ts";
import { FORBIDDEN_BOARD, FORBIDDEN_PERMISSION, NO_ID } from "../spec/shapes.ts";

const MISSING = "Missing API key. Send it in the X-API-Key header.";
const INVALID = "Invalid API key.";
const BOARDS = "/api/board/boards";

export const keyRequirements: readonly Requirement[] = [
  {
    id: "D-015",
    section: "Requests and errors",
    statement: "Without a key: 401 `Missing API key. Send it in the X-API-Key header.`; an unknown one: 401 `Invalid API key.`",
    check: async function missingAndInvalidKeys(t) {
      isRefused(await t.call("GET", BOARDS, { key: null }), 401, MISSING);
      isRefused(await t.call("POST", "/api/inbound/tiles", { key: null, body: { board_id: t.board.id, content: "x" } }), 401, MISSING);
      for (const key of [
        "x",
        "tsr_",
        `tsr_${"0".repeat(38)}`,
        `${t.need("key")}x`,
        t.need("key").slice(0, -1),
        t.need("key").toUpperCase() + "!",
      ]) {
        isRefused(await t.call("GET", BOARDS, { key }), 401, INVALID);
      }
    },
  },
  {
    id: "D-016",
    section: "Requests and errors",
    statement: "`Authorization: Bearer <key>` is accepted as well.",
    check: async function bearerIsAccepted(t) {
      isStatus(await t.call("GET", BOARDS, { key: null, headers: { authorization: `Bearer ${t.need("key")}` } }), 200);
      isRefused(await t.call("GET", BOARDS, { key: null, headers: { authorization: "Bearer wrong" } }), 401, INVALID);
    },
  },
  {
    id: "D-017",
    section: "Requests and errors",
    statement: "A key in a query string is not accepted.",
    check: async function keyInQueryIsRefused(t) {
      for (const name of ["api_key", "apiKey", "key", "token", "x-api-key", "X-API-Key", "access_token"]) {
        isRefused(await t.call("GET", BOARDS, { key: null, query: { [name]: t.need("key") } }), 401, MISSING);
      }
    },
  },
  {
    id: "D-018",
    section: "Requests and errors",
    statement: "The inbound endpoint requires the key like every other.",
    check: async function inboundNeedsTheKey(t) {
      isRefused(await t.call("POST", "/api/inbound/tiles", { key: null, body: { board_id: t.board.id, content: "x" } }), 401, MISSING);
      isRefused(await t.call("POST", "/api/inbound/tiles", { key: "wrong", body: { board_id: t.board.id, content: "x" } }), 401, INVALID);
    },
  },
  {
    id: "D-019",
    section: "Requests and errors",
    statement: "`GET /api/me` tells a key what it is (business, scope, permission, expiry).",
    check: async function meTellsTheKey(t) {
      const reply = await t.call("GET", "/api/me");
      isStatus(reply, 200);
      const me = asFields(reply.json, "the body");
      holds(/"permission":\s*"write"/.test(reply.text), `expected permission write, got ${reply.text}`);
      for (const word of ["business", "expire"])
        holds(reply.text.toLowerCase().includes(word), `expected the answer to tell ${word}, got ${reply.text}`);
      holds(!reply.text.includes(t.need("key")), "the answer shows the key");
      hasFields({ me }, { me: "object" }, "the body");
      isRefused(await t.call("GET", "/api/me", { key: null }), 401, MISSING);
    },
  },
  {
    id: "D-020",
    section: "Requests and errors",
    statement: "`GET /api/me` works with a key of every permission and scope.",
    check: async function meWorksForEveryKey(t) {
      isStatus(await t.call("GET", "/api/me", { key: t.need("readKey") }), 200);
      isStatus(await t.call("GET", "/api/me", { key: t.need("inboundKey") }), 200);
      const scoped = await t.call("GET", "/api/me", { key: t.need("scopedKey") });
      isStatus(scoped, 200);
      holds(scoped.text.includes(t.need("scopedBoard")), `expected the scope's board in ${scoped.text}`);
    },
  },
  {
    id: "D-021",
    section: "Requests and errors",
    statement: "A board-scoped key gets 403 against every other board id, existing or not.",
    check: async function scopedKeyCantTellBoardsApart(t) {
      const key = t.need("scopedKey");
      for (const rest of ["zones", "tiles", "ask?q=x", "search?q=x"])
        isRefused(await t.call("GET", `/api/board/${NO_ID}/${rest}`, { key }), 403, FORBIDDEN_BOARD);
    },
  },
  {
    id: "D-022",
    section: "People and keys",
    statement: "A read key lists, reads and searches; asking and writing are 403 with the permission message.",
    check: async function readKeyOnlyReads(t) {
      const key = t.need("readKey");
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
        isStatus(await t.call("GET", path, { key }), 200);
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
        isRefused(await t.call(method, path, { key, ...(["POST", "PATCH"].includes(method) && { body }) }), 403, FORBIDDEN_PERMISSION);
      }
      isRefused(
        await t.call("POST", "/api/inbound/tiles", { key, body: { board_id: t.board.id, content: "x" } }),
        403,
        FORBIDDEN_PERMISSION,
      );
    },
  },
  {
    id: "D-023",
    section: "People and keys",
    statement: "An inbound key creates through the inbound calls and may do nothing else.",
    check: async function inboundKeyOnlyCreates(t) {
      const key = t.need("inboundKey");
      const tile = await t.inbound({ content: "By an inbound key" }, { key });
      equal(tile["status"], "ready", "status");
      const b = `/api/board/${t.board.id}`;
      for (const path of [`${b}/zones`, `${b}/tiles`, `/api/board/tiles/${tile.id}`, `${b}/ask?q=x`]) {
        isRefused(await t.call("GET", path, { key }), 403, FORBIDDEN_PERMISSION);
      }
      isRefused(await t.call("POST", `${b}/tiles`, { key, body: { content: "x" } }), 403, FORBIDDEN_PERMISSION);
      isRefused(await t.call("DELETE", `/api/board/tiles/${tile.id}`, { key }), 403, FORBIDDEN_PERMISSION);
    },
  },
  {
    id: "D-024",
    section: "Requests and errors",
    statement: "Answers carry `RateLimit` and `RateLimit-Policy`.",
    check: async function rateIsTold(t) {
      const reply = await t.call("GET", BOARDS);
      listIn(reply, "boards");
      for (const name of ["ratelimit", "ratelimit-policy"]) holds(Boolean(reply.headers[name]), `no ${name} header`);
    },
  },
  {
    id: "D-025",
    section: "Requests and errors",
    statement: "6,000 requests a minute (ask, generate, idea: 120), then 429 with `Retry-After`.",
    unchecked: "using up the limit would block the tester's key for a minute",
  },
  {
    id: "D-026",
    section: "Requests and errors",
    statement: "Revoked and expired keys read like unknown ones; another business's things are 404.",
    unchecked: "takes keys that a tester has no cause to hand over",
  },
  {
    id: "D-027",
    section: "People and keys",
    statement: "A key is `tsr_` + 32 base62 + 6 of checksum, shown once, stored as a hash.",
    unchecked: "another server's keys may look otherwise; what is stored can't be seen",
  },
];
