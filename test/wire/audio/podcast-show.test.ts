import { expect, it } from "vitest";
import type { Asked } from "../support/wire.ts";
import { item, buildFeed, open } from "./podcast-feed.ts";

const SHOW = "https://podcasts.apple.com/us/podcast/lens-talk/id1500000001";

it("a show of Apple Podcasts lists its episodes, newest first", async () => {
  const older = item("a", "First").replace("02 Mar 2026", "01 Feb 2026");
  const wire = await open({ feed: () => buildFeed(older, item("b", "Second")) });
  const found = await wire.ingest(SHOW);
  expect(found).toMatchObject({
    type: "PODCAST",
    title: "Lens Talk",
    metadata: { subtype: "SHOW", author: "Harbour Lab", siteName: "Apple Podcasts", stats: { entries: 2 } },
    warnings: [],
  });
  expect(found.text).toBe(
    "Talks about lenses.\n\n## Second\n\n2026-03-02 · 30:00\n\nNotes of Second.\n\nWith links.\n\n## First\n\n2026-02-01 · 30:00\n\nNotes of First.\n\nWith links.",
  );
});

it("a show of Apple Podcasts lists the episodes of the directory if its feed cannot be read", async () => {
  const wire = await open({ feed: (_asked: Asked) => "garbage" });
  const found = await wire.ingest(SHOW);
  expect(found.text).toBe("## Prisms\n\n2026-03-02 · 30:00\n\nAbout prisms.");
  expect(found.warnings.map(({ code }) => code)).toEqual(["truncated", "source_changed"]);
});
