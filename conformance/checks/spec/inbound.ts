import { type Check, defineRequirements } from "../../requirement.ts";
import { assertMatch, assertEqual, assertFields, assert, assertError, assertStatus } from "../../expect.ts";
import { VIDEO_URL } from "./shapes.ts";
import { GENERATION_PATHS, requireGeneration } from "../../generation.ts";

const INBOUND = "/api/inbound/tiles";

const inboundText: Check = async (t) => {
  const tile = await t.inbound({ content: "From outside" });
  assertMatch(tile, { status: "ready", type: "TEXT" }, "the tile");
  const row = (await t.list("tiles")).find((item) => item["id"] === tile.id);
  assertEqual(row?.["extractedText"], "From outside", "extractedText immediately after the call");
};

const inboundLink: Check = async (t) => {
  const reply = await t.call("POST", INBOUND, { body: { board_id: t.board.id, url: VIDEO_URL } });
  const tile = t.created(reply, "tile");
  assertMatch(tile, { status: "processing", type: "YOUTUBE" }, "the tile");
  const rows = await t.list("tiles");
  assert(
    rows.some((row) => row["id"] === tile.id),
    "the tile is not listed immediately",
  );
  await t.call("DELETE", `/api/board/tiles/${tile.id}`);
  assert(reply.milliseconds < 5000, `expected an immediate response, it took ${Math.round(reply.milliseconds)} ms`);
};

const boardIdIsRequired: Check = async (t) => {
  assertError(await t.call("POST", INBOUND, { body: { content: "x" } }), 400, /\bboard_id\b/);
};

const contentOrUrlIsRequired: Check = async (t) => {
  assertError(
    await t.call("POST", INBOUND, { body: { board_id: t.board.id, title: "x" } }),
    400,
    /either content or url must be provided/i,
  );
};

const inboundZoneMustBelong: Check = async (t) => {
  const other = await t.otherBoard();
  const { id } = await t.zone({}, other.id);
  assertError(
    await t.call("POST", INBOUND, { body: { board_id: t.board.id, zone_id: id, content: "x" } }),
    400,
    /zone.*does not belong to this board/i,
  );
};

const linkIsIngested: Check = async (t) => {
  const tile = await t.inbound({ url: t.option("pageUrl") });
  assertEqual(tile["status"], "processing", "initial status");
  const until = Date.now() + 30_000;
  for (;;) {
    const row = (await t.list("tiles")).find((item) => item["id"] === tile.id);
    if (row?.["status"] === "ready") {
      assertFields(row, { title: "string", extractedText: "string" }, "the ingested tile");
      assert(String(row["extractedText"]).trim() !== "", "the ingested tile has no text");
      return;
    }
    assert(
      row?.["status"] === "processing" && Date.now() < until,
      `expected the page to become ready in 30 s, its status is ${String(row?.["status"])}`,
    );
    await t.pause(200);
  }
};

export const inboundRequirements = defineRequirements("Inbound webhook", {
  "S-048": {
    statement:
      '`POST /api/inbound/tiles` with content returns `{ tile: { id, status: "ready", type: "TEXT" } }`; the tile is created synchronously.',
    check: inboundText,
  },
  "S-049": { section: "States and transitions", statement: "(none) → ready by an inbound call with content.", check: inboundText },
  "S-050": {
    statement: 'With url it returns `{ tile: { id, status: "processing", type } }`; the type is detected; the tile exists immediately.',
    check: inboundLink,
  },
  "S-051": {
    section: "States and transitions",
    statement: "(none) → processing by an inbound call with url, which responds immediately.",
    check: inboundLink,
  },
  "S-052": {
    section: "States and transitions",
    statement: "Ingestion continues in the background and ends the processing state.",
    check: linkIsIngested,
  },
  "S-053": {
    statement: "`zone_id` sets the zone of the tile, `title` its title.",
    check: async function inboundZoneAndTitle(t) {
      const { id: zoneId } = await t.zone();
      const { id } = await t.inbound({ zone_id: zoneId, title: "Named outside", content: "x" });
      const rows = await t.list("tiles", { zone_id: zoneId });
      assertEqual(
        rows.map((row) => [row["id"], row["title"]]),
        [[id, "Named outside"]],
        "tiles of the zone",
      );
    },
  },
  "S-054": { statement: "A missing board_id returns 400.", check: boardIdIsRequired },
  "S-055": {
    section: "Errors",
    statement: "An inbound call without board_id returns 400 with a message that names `board_id`.",
    check: boardIdIsRequired,
  },
  "S-056": { statement: "A call with neither content nor url returns 400.", check: contentOrUrlIsRequired },
  "S-057": {
    section: "Errors",
    statement: "An inbound call with neither returns 400 with the message that either content or url must be provided.",
    check: contentOrUrlIsRequired,
  },
  "S-058": {
    statement: "Exactly one of url and content must be provided.",
    check: async function contentWithUrlIs400(t) {
      assertStatus(await t.call("POST", INBOUND, { body: { board_id: t.board.id, content: "x", url: VIDEO_URL } }), 400);
    },
  },
  "S-059": {
    statement: "A zone that does not belong to board_id returns 400.",
    check: inboundZoneMustBelong,
  },
  "S-060": {
    section: "Errors",
    statement: "An inbound call with a zone of another board returns 400 with the message that the zone does not belong to this board.",
    check: inboundZoneMustBelong,
  },
  "S-061": {
    section: "Other operations",
    statement: "Generation operations exist at `/api/v1/generate` and `/api/v1/idea`.",
    check: async function generationExists(t) {
      await requireGeneration(t);
      for (const path of GENERATION_PATHS) assertError(await t.call("POST", path, { body: {} }), 400);
    },
  },
});
