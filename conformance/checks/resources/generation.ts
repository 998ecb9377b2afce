import type { Requirement } from "../../requirement.ts";
import type { Fields } from "../../expect.ts";
import { asFields, asText, equal, hasFields, holds, isRefused, isStatus } from "../../expect.ts";
import type { Reply } from "../../http.ts";
import { NO_ID } from "../spec/shapes.ts";
import { needGeneration } from "../../generation.ts";

const section = "Generation";

/** The generation in a 200 or, where a model takes longer than a platform waits, a 202. */
function generationIn(reply: Reply): Fields {
  if (reply.status !== 202) isStatus(reply, 200);
  return asFields(asFields(reply.json, "the body")["generation"], "generation");
}

const COMMON = { id: "string", boardId: "string", endpoint: "string", status: "string", createdAt: "time" } as const;

export const generationAdditions: readonly Requirement[] = [
  {
    id: "D-111",
    section,
    statement: "`POST /api/v1/generate` answers `{ generation }` with output, citations and contextTokens.",
    check: async function generates(t) {
      await needGeneration(t);
      await t.tile({ content: "Kelp forests grow half a metre a day." });
      const reply = await t.call("POST", "/api/v1/generate", { body: { board_id: t.board.id, asset_type: "post", prompt: "Kelp" } });
      const generation = generationIn(reply);
      hasFields(generation, COMMON, "generation");
      equal(
        [generation["boardId"], generation["endpoint"], generation["assetType"]],
        [t.board.id, "/api/v1/generate", "post"],
        "boardId, endpoint, assetType",
      );
      if (reply.status === 202) return;
      hasFields(generation, { output: "object", citations: "list", contextTokens: "integer" }, "generation");
      hasFields(asFields(generation["output"], "output"), { title: "string", text: "string", sections: "list" }, "output");
    },
  },
  {
    id: "D-112",
    section,
    statement: "`POST /api/v1/idea` answers `{ generation }` with `count` ideas of id, title, hook, angle, rationale and citations.",
    check: async function proposesIdeas(t) {
      await needGeneration(t);
      await t.tile({ content: "Kelp forests grow half a metre a day. Otters keep urchins away from kelp." });
      const reply = await t.call("POST", "/api/v1/idea", { body: { board_id: t.board.id, prompt: "Kelp", count: 2 } });
      const generation = generationIn(reply);
      hasFields(generation, COMMON, "generation");
      equal([generation["endpoint"], "assetType" in generation], ["/api/v1/idea", false], "endpoint, and whether there is an assetType");
      if (reply.status === 202) return;
      hasFields(generation, { ideas: "list", contextTokens: "integer" }, "generation");
      const ideas = generation["ideas"] as readonly unknown[];
      holds(ideas.length >= 1 && ideas.length <= 2, `expected at most 2 ideas, got ${ideas.length}`);
      const shape = { id: "string", title: "string", hook: "string", angle: "string", rationale: "string", citations: "list" } as const;
      for (const idea of ideas) hasFields(asFields(idea, "an idea"), shape, "an idea");
    },
  },
  {
    id: "D-113",
    section,
    statement: '`Prefer: respond-async` or `"async": true` answers 202 with `Location: /api/v1/generations/{id}` and status processing.',
    check: async function generatesLater(t) {
      await needGeneration(t);
      const body = { board_id: t.board.id, asset_type: "post", prompt: "Anything" };
      for (const request of [{ body: { ...body, async: true } }, { body, headers: { prefer: "respond-async" } }]) {
        const reply = await t.call("POST", "/api/v1/generate", request);
        isStatus(reply, 202);
        const generation = generationIn(reply);
        equal(generation["status"], "processing", "status");
        const location = asText(reply.headers.location, "Location");
        holds(location.endsWith(`/api/v1/generations/${String(generation["id"])}`), `unexpected Location ${location}`);
        equal(
          generationIn(await t.call("GET", `/api/v1/generations/${String(generation["id"])}`))["id"],
          generation["id"],
          "id at the Location",
        );
      }
    },
  },
  {
    id: "D-114",
    section,
    statement: "A missing board_id or asset_type is 400, an unknown board 404, a count out of 1–20 400.",
    check: async function generationIsChecked(t) {
      await needGeneration(t);
      const id = t.board.id;
      isRefused(await t.call("POST", "/api/v1/generate", { body: { asset_type: "post" } }), 400, "board_id is required.");
      isRefused(await t.call("POST", "/api/v1/generate", { body: { board_id: id } }), 400, /^asset_type /);
      isRefused(await t.call("POST", "/api/v1/generate", { body: { board_id: id, asset_type: "opera" } }), 400, /^asset_type /);
      isRefused(await t.call("POST", "/api/v1/generate", { body: { board_id: NO_ID, asset_type: "post" } }), 404, "Board not found.");
      isRefused(await t.call("POST", "/api/v1/idea", { body: {} }), 400, "board_id is required.");
      for (const count of [0, 21]) isRefused(await t.call("POST", "/api/v1/idea", { body: { board_id: id, count } }), 400, /^count /);
    },
  },
  {
    id: "D-115",
    section,
    statement: "A client that goes away cancels nothing; a call that takes too long becomes a 202.",
    unchecked: "takes a slow model",
  },
];
