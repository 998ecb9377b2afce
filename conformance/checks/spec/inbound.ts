import type { Check, Requirement } from "../../requirement.ts";
import { equal, hasFields, holds, isRefused, isStatus, listIn } from "../../expect.ts";
import { VIDEO_URL } from "./shapes.ts";
import { GENERATION_PATHS, needGeneration } from "../../generation.ts";

const INBOUND = "/api/inbound/tiles";

const inboundText: Check = async (t) => {
  const tile = await t.inbound({ content: "From outside" });
  equal([tile["status"], tile["type"]], ["ready", "TEXT"], "status and type");
  const row = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles").find((item) => item["id"] === tile.id);
  equal(row?.["extractedText"], "From outside", "extractedText, right after the call");
};

const inboundLink: Check = async (t) => {
  const reply = await t.call("POST", INBOUND, { body: { board_id: t.board.id, url: VIDEO_URL } });
  const tile = t.made(reply, "tile");
  equal([tile["status"], tile["type"]], ["processing", "YOUTUBE"], "status and type");
  const rows = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles");
  holds(
    rows.some((row) => row["id"] === tile.id),
    "the tile does not exist at once",
  );
  await t.call("DELETE", `/api/board/tiles/${tile.id}`);
  holds(reply.milliseconds < 5000, `expected an immediate answer, it took ${Math.round(reply.milliseconds)} ms`);
};

const boardIsNeeded: Check = async (t) => {
  isRefused(await t.call("POST", INBOUND, { body: { content: "x" } }), 400, /\bboard_id\b/);
};

const contentOrUrlIsNeeded: Check = async (t) => {
  isRefused(await t.call("POST", INBOUND, { body: { board_id: t.board.id, title: "x" } }), 400, /either content or url must be provided/i);
};

const inboundZoneMustBelong: Check = async (t) => {
  const other = await t.otherBoard();
  const { id } = await t.zone({}, other.id);
  isRefused(
    await t.call("POST", INBOUND, { body: { board_id: t.board.id, zone_id: id, content: "x" } }),
    400,
    /zone.*does not belong to this board/i,
  );
};

const ingests: Check = async (t) => {
  const tile = await t.inbound({ url: t.need("pageUrl") });
  equal(tile["status"], "processing", "status at first");
  const until = Date.now() + 30_000;
  for (;;) {
    const row = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles").find((item) => item["id"] === tile.id);
    if (row?.["status"] === "ready") {
      hasFields(row, { title: "string", extractedText: "string" }, "the ingested tile");
      holds(String(row["extractedText"]).trim() !== "", "the ingested tile has no text");
      return;
    }
    holds(
      row?.["status"] === "processing" && Date.now() < until,
      `expected the page to become ready in 30 s, its status is ${String(row?.["status"])}`,
    );
    await t.pause(200);
  }
};

export const inboundRequirements: readonly Requirement[] = [
  {
    id: "S-048",
    section: "Inbound webhook",
    statement: '`POST /api/inbound/tiles` with content answers `{ tile: { id, status: "ready", type: "TEXT" } }`, created synchronously.',
    check: inboundText,
  },
  { id: "S-049", section: "States and transitions", statement: "(none) → ready by an inbound call with content.", check: inboundText },
  {
    id: "S-050",
    section: "Inbound webhook",
    statement: 'With url it answers `{ tile: { id, status: "processing", type } }`; the kind is detected; the tile exists at once.',
    check: inboundLink,
  },
  {
    id: "S-051",
    section: "States and transitions",
    statement: "(none) → processing by an inbound call with url, answered immediately.",
    check: inboundLink,
  },
  {
    id: "S-052",
    section: "States and transitions",
    statement: "Ingestion continues in the background and ends the processing state.",
    check: ingests,
  },
  {
    id: "S-053",
    section: "Inbound webhook",
    statement: "`zone_id` places the tile; `title` names it.",
    check: async function inboundZoneAndTitle(t) {
      const { id: zoneId } = await t.zone();
      const { id } = await t.inbound({ zone_id: zoneId, title: "Named outside", content: "x" });
      const rows = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zoneId } }), "tiles");
      equal(
        rows.map((row) => [row["id"], row["title"]]),
        [[id, "Named outside"]],
        "tiles of the zone",
      );
    },
  },
  { id: "S-054", section: "Inbound webhook", statement: "A missing board_id is 400.", check: boardIsNeeded },
  {
    id: "S-055",
    section: "Errors",
    statement: "Inbound create without board_id: 400 that names the required field `board_id`.",
    check: boardIsNeeded,
  },
  { id: "S-056", section: "Inbound webhook", statement: "Neither content nor url is 400.", check: contentOrUrlIsNeeded },
  {
    id: "S-057",
    section: "Errors",
    statement: "Inbound create with neither: 400 that states that either content or url must be provided.",
    check: contentOrUrlIsNeeded,
  },
  {
    id: "S-058",
    section: "Inbound webhook",
    statement: "Exactly one of url or content is to be provided.",
    check: async function bothAreRefused(t) {
      isStatus(await t.call("POST", INBOUND, { body: { board_id: t.board.id, content: "x", url: VIDEO_URL } }), 400);
    },
  },
  { id: "S-059", section: "Inbound webhook", statement: "A zone that does not belong to board_id is 400.", check: inboundZoneMustBelong },
  {
    id: "S-060",
    section: "Errors",
    statement: "Inbound create with a foreign zone: 400 that states that the zone does not belong to this board.",
    check: inboundZoneMustBelong,
  },
  {
    id: "S-061",
    section: "Other operations",
    statement: "Generation operations exist at `/api/v1/generate` and `/api/v1/idea`.",
    check: async function generationExists(t) {
      await needGeneration(t);
      for (const path of GENERATION_PATHS) isRefused(await t.call("POST", path, { body: {} }), 400);
    },
  },
];
