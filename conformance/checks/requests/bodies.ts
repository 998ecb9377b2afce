import { defineRequirements } from "../../requirement.ts";
import { assertEqual, assert, assertError, assertStatus } from "../../expect.ts";
import { NO_ID } from "../spec/shapes.ts";

const MALFORMED = { raw: '{"name": ' } as const;

export const bodyRequirements = defineRequirements("Requests and errors", {
  "D-009": {
    statement: "A body that is not JSON returns 400 `The request body is not valid JSON.`",
    check: async function malformedJsonIs400(t) {
      for (const path of [
        `/api/board/${t.board.id}/zones`,
        `/api/board/${t.board.id}/tiles`,
        `/api/board/${t.board.id}/ask`,
        "/api/inbound/tiles",
      ]) {
        for (const raw of ['{"name": ', "{name: 'x'}", "\u0001"])
          assertError(await t.call("POST", path, { raw }), 400, "The request body is not valid JSON.");
      }
      assertError(await t.call("POST", `/api/board/${t.board.id}/zones`, { raw: Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d) }), 400);
    },
  },
  "D-010": {
    statement: "A JSON body that is not an object returns 400.",
    check: async function otherJsonIs400(t) {
      for (const raw of ["[]", '"text"', "null", "12", "true"]) {
        assertError(await t.call("POST", `/api/board/${t.board.id}/zones`, { raw }), 400);
        assertError(await t.call("POST", "/api/inbound/tiles", { raw }), 400);
      }
    },
  },
  "D-011": {
    statement: "A wrong media type returns 415.",
    check: async function wrongMediaTypeIs415(t) {
      for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded"]) {
        assertError(
          await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw: '{"content":"x"}', headers: { "content-type": type } }),
          415,
        );
      }
      const reply = await t.call("POST", `/api/board/${t.board.id}/tiles`, {
        raw: '{"content":"x"}',
        headers: { "content-type": "application/json; charset=utf-8" },
      });
      assertEqual(t.created(reply, "tile")["title"], "Untitled note", "title of a tile sent with a charset parameter");
    },
  },
  "D-012": {
    statement: "A body over 16 MiB returns 413.",
    check: async function hugeBodyIs413(t) {
      const raw = `{"content":"${"x".repeat(17 * 1024 * 1024)}"}`;
      assertError(await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw }), 413);
      assertError(await t.call("POST", "/api/inbound/tiles", { raw }), 413);
    },
  },
  "D-013": {
    statement: "Every response has a request id in `X-Request-Id`, and not in the body.",
    check: async function responsesHaveARequestId(t) {
      const replies = [
        await t.call("GET", "/api/board/boards"),
        await t.call("GET", "/api/board/boards", { key: null }),
        await t.call("GET", "/api/none"),
        await t.call("POST", `/api/board/${t.board.id}/zones`, MALFORMED),
        await t.call("PATCH", `/api/board/tiles/${NO_ID}`, { body: {} }),
      ];
      for (const reply of replies) assert(Boolean(reply.headers["x-request-id"]), `${reply.method} ${reply.path}: no X-Request-Id`);
      assertEqual(new Set(replies.map((reply) => reply.headers["x-request-id"])).size, replies.length, "different request ids");
    },
  },
  "D-014": {
    statement: "Successful calls return 200, including creations.",
    check: async function creationsAre200(t) {
      const zone = await t.call("POST", `/api/board/${t.board.id}/zones`, { body: { name: "Two hundred" } });
      const tile = await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { content: "x" } });
      const inbound = await t.call("POST", "/api/inbound/tiles", { body: { board_id: t.board.id, content: "x" } });
      for (const reply of [zone, tile, inbound]) assertStatus(reply, 200);
      t.created(zone, "zone");
      for (const reply of [tile, inbound]) t.created(reply, "tile");
    },
  },
});
