import { randomUUID } from "node:crypto";
import type { Requirement } from "../../requirement.ts";
import { equal, isRefused, isStatus } from "../../expect.ts";

const section = "Requests and errors › Idempotency-Key";

export const idempotencyRequirements: readonly Requirement[] = [
  {
    id: "D-042",
    section,
    statement: "The same key and body returns the first answer, with `Idempotency-Replayed: true`.",
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
        equal(t.made(again, name), t.made(first, name), `${path}: the replayed answer`);
        equal(
          [first.headers["idempotency-replayed"], again.headers["idempotency-replayed"]],
          [undefined, "true"],
          `${path}: Idempotency-Replayed`,
        );
      }
    },
  },
  {
    id: "D-043",
    section,
    statement: "The same key with another body is 409.",
    check: async function otherBodyIs409(t) {
      const headers = { "idempotency-key": randomUUID() };
      const path = `/api/board/${t.board.id}/tiles`;
      t.made(await t.call("POST", path, { body: { content: "One" }, headers }), "tile");
      isRefused(await t.call("POST", path, { body: { content: "Two" }, headers }), 409);
    },
  },
  {
    id: "D-044",
    section,
    statement: "It is remembered per path.",
    check: async function keyIsPerPath(t) {
      const headers = { "idempotency-key": randomUUID() };
      t.made(await t.call("POST", `/api/board/${t.board.id}/zones`, { body: { name: "x", content: "x" }, headers }), "zone");
      t.made(await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { name: "x", content: "x" }, headers }), "tile");
    },
  },
  {
    id: "D-045",
    section,
    statement: "Only answers that created something are remembered.",
    check: async function refusalsAreNotRemembered(t) {
      const headers = { "idempotency-key": randomUUID() };
      const path = `/api/board/${t.board.id}/tiles`;
      isRefused(await t.call("POST", path, { body: { title: "No content" }, headers }), 400);
      const reply = await t.call("POST", path, { body: { content: "Now" }, headers });
      isStatus(reply, 200);
      t.made(reply, "tile");
    },
  },
  {
    id: "D-046",
    section,
    statement: "Calls under one key at the same time create one thing; a call still running is 409 for the others.",
    check: async function simultaneousCallsCreateOne(t) {
      const headers = { "idempotency-key": randomUUID() };
      const body = { name: `Race ${t.nonce()}` };
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => t.call("POST", `/api/board/${t.board.id}/zones`, { body, headers })),
      );
      const made = replies.filter((reply) => reply.status !== 409).map((reply) => t.made(reply, "zone").id);
      equal(new Set(made).size, 1, "zones made by 8 calls under one key");
    },
  },
  { id: "D-047", section, statement: "It is remembered for 24 hours, and per API key.", unchecked: "a day is longer than a run" },
];
