import { randomUUID } from "node:crypto";
import { defineRequirements } from "../../requirement.ts";
import { assertEqual, assertError, assertStatus } from "../../expect.ts";

export const idempotencyRequirements = defineRequirements("Requests and errors › Idempotency-Key", {
  "D-042": {
    statement: "The same key and body return the first response, with `Idempotency-Replayed: true`.",
    check: async function repeatedCallIsReplayed(t) {
      const b = t.board.id;
      for (const [path, name, body] of [
        [`/api/board/${b}/zones`, "zone", { name: "Once" }],
        [`/api/board/${b}/tiles`, "tile", { content: "Once" }],
        ["/api/inbound/tiles", "tile", { board_id: b, content: "Once" }],
      ] as const) {
        const headers = { "idempotency-key": randomUUID() };
        const first = await t.call("POST", path, { body, headers });
        const again = await t.call("POST", path, { body, headers });
        t.created(first, name);
        assertEqual(again.text, first.text, `${path}: the replayed response`);
        assertEqual(
          [first.headers["idempotency-replayed"], again.headers["idempotency-replayed"]],
          [undefined, "true"],
          `${path}: Idempotency-Replayed`,
        );
      }
    },
  },
  "D-043": {
    statement: "The same key with another body returns 409.",
    check: async function otherBodyIs409(t) {
      const headers = { "idempotency-key": randomUUID() };
      const path = `/api/board/${t.board.id}/tiles`;
      t.created(await t.call("POST", path, { body: { content: "One" }, headers }), "tile");
      assertError(await t.call("POST", path, { body: { content: "Two" }, headers }), 409);
    },
  },
  "D-044": {
    statement: "A key applies to one path.",
    check: async function keyIsPerPath(t) {
      const headers = { "idempotency-key": randomUUID() };
      t.created(await t.call("POST", `/api/board/${t.board.id}/zones`, { body: { name: "x", content: "x" }, headers }), "zone");
      t.created(await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { name: "x", content: "x" }, headers }), "tile");
    },
  },
  "D-045": {
    statement: "Only responses that created something are stored.",
    check: async function errorsAreNotStored(t) {
      const headers = { "idempotency-key": randomUUID() };
      const path = `/api/board/${t.board.id}/tiles`;
      assertError(await t.call("POST", path, { body: { title: "No content" }, headers }), 400);
      const reply = await t.call("POST", path, { body: { content: "Now" }, headers });
      assertStatus(reply, 200);
      t.created(reply, "tile");
    },
  },
  "D-046": {
    statement: "Concurrent calls with one key create one resource; while the first call is running, the others return 409.",
    check: async function concurrentCallsCreateOne(t) {
      const headers = { "idempotency-key": randomUUID() };
      const body = { name: `Race ${t.nonce()}` };
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => t.call("POST", `/api/board/${t.board.id}/zones`, { body, headers })),
      );
      const zoneIds = replies.filter((reply) => reply.status !== 409).map((reply) => t.created(reply, "zone").id);
      assertEqual(new Set(zoneIds).size, 1, "zones created by 8 calls with one key");
    },
  },
  "D-047": { statement: "A key is stored for 24 hours, separately for each API key.", unchecked: "takes 24 hours" },
});
