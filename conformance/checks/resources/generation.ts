import { defineRequirements } from "../../requirement.ts";
import type { JsonObject } from "../../expect.ts";
import { assertMatch, toObject, toText, assertEqual, assertFields, assert, assertError, assertStatus } from "../../expect.ts";
import type { Reply } from "../../http.ts";
import { NO_ID } from "../spec/shapes.ts";
import { requireGeneration } from "../../generation.ts";

/** The generation in a 200 response, or in a 202 response if the model is slow. */
function getGeneration(reply: Reply): JsonObject {
  if (reply.status !== 202) assertStatus(reply, 200);
  return toObject(toObject(reply.json, "the body")["generation"], "generation");
}

const COMMON = { id: "string", boardId: "string", endpoint: "string", status: "string", createdAt: "time" } as const;

export const generationAdditions = defineRequirements("Generation", {
  "D-111": {
    statement: "`POST /api/v1/generate` returns `{ generation }` with output, citations and contextTokens.",
    check: async function generates(t) {
      await requireGeneration(t);
      await t.tile({ content: "Kelp forests grow half a metre a day." });
      const reply = await t.call("POST", "/api/v1/generate", { body: { board_id: t.board.id, asset_type: "post", prompt: "Kelp" } });
      const generation = getGeneration(reply);
      assertFields(generation, COMMON, "generation");
      assertMatch(generation, { boardId: t.board.id, endpoint: "/api/v1/generate", assetType: "post" }, "the generation");
      if (reply.status === 202) return;
      assertFields(generation, { output: "object", citations: "list", contextTokens: "integer" }, "generation");
      assertFields(toObject(generation["output"], "output"), { title: "string", text: "string", sections: "list" }, "output");
    },
  },
  "D-112": {
    statement:
      "`POST /api/v1/idea` returns `{ generation }` with at most `count` ideas of id, title, hook, angle, rationale and citations.",
    check: async function proposesIdeas(t) {
      await requireGeneration(t);
      await t.tile({ content: "Kelp forests grow half a metre a day. Otters keep urchins away from kelp." });
      const reply = await t.call("POST", "/api/v1/idea", { body: { board_id: t.board.id, prompt: "Kelp", count: 2 } });
      const generation = getGeneration(reply);
      assertFields(generation, COMMON, "generation");
      assertEqual(
        [generation["endpoint"], "assetType" in generation],
        ["/api/v1/idea", false],
        "endpoint, and whether there is an assetType",
      );
      if (reply.status === 202) return;
      assertFields(generation, { ideas: "list", contextTokens: "integer" }, "generation");
      const ideas = generation["ideas"] as readonly unknown[];
      assert(ideas.length >= 1 && ideas.length <= 2, `expected at most 2 ideas, got ${ideas.length}`);
      const shape = { id: "string", title: "string", hook: "string", angle: "string", rationale: "string", citations: "list" } as const;
      for (const idea of ideas) assertFields(toObject(idea, "an idea"), shape, "an idea");
    },
  },
  "D-113": {
    statement: '`Prefer: respond-async` or `"async": true` returns 202 with `Location: /api/v1/generations/{id}` and status processing.',
    check: async function generatesAsynchronously(t) {
      await requireGeneration(t);
      const body = { board_id: t.board.id, asset_type: "post", prompt: "Anything" };
      for (const request of [{ body: { ...body, async: true } }, { body, headers: { prefer: "respond-async" } }]) {
        const reply = await t.call("POST", "/api/v1/generate", request);
        assertStatus(reply, 202);
        const generation = getGeneration(reply);
        assertEqual(generation["status"], "processing", "status");
        const location = toText(reply.headers.location, "Location");
        assert(location.endsWith(`/api/v1/generations/${String(generation["id"])}`), `unexpected Location ${location}`);
        assertEqual(
          getGeneration(await t.call("GET", `/api/v1/generations/${String(generation["id"])}`))["id"],
          generation["id"],
          "id at the Location",
        );
      }
    },
  },
  "D-114": {
    statement: "A missing board_id or asset_type and a count outside 1–20 return 400, an unknown board 404.",
    check: async function generationIsValidated(t) {
      await requireGeneration(t);
      const id = t.board.id;
      assertError(await t.call("POST", "/api/v1/generate", { body: { asset_type: "post" } }), 400, "board_id is required.");
      assertError(await t.call("POST", "/api/v1/generate", { body: { board_id: id } }), 400, /^asset_type /);
      assertError(await t.call("POST", "/api/v1/generate", { body: { board_id: id, asset_type: "opera" } }), 400, /^asset_type /);
      assertError(await t.call("POST", "/api/v1/generate", { body: { board_id: NO_ID, asset_type: "post" } }), 404, "Board not found.");
      assertError(await t.call("POST", "/api/v1/idea", { body: {} }), 400, "board_id is required.");
      for (const count of [0, 21]) assertError(await t.call("POST", "/api/v1/idea", { body: { board_id: id, count } }), 400, /^count /);
    },
  },
  "D-115": {
    statement: "Disconnecting does not cancel a generation; a call that takes too long returns 202.",
    unchecked: "requires a slow model",
  },
});
