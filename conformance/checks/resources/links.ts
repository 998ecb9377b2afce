import { defineRequirements } from "../../requirement.ts";
import { assertMatch, assertEqual, assertFields, assert, assertError, getObject } from "../../expect.ts";
import type { Resource, Probe } from "../../probe.ts";
import { VIDEO_URL } from "../spec/shapes.ts";

/** URLs whose type can be detected without fetching them. */
const KINDS: Readonly<Record<string, string>> = {
  "https://youtu.be/dQw4w9WgXcQ": "YOUTUBE",
  "https://www.youtube.com/shorts/dQw4w9WgXcQ": "YOUTUBE",
  "https://www.tiktok.com/@someone/video/7300000000000000000": "TIKTOK",
  "https://www.instagram.com/reel/Cabcdefghij/": "INSTAGRAM",
  "https://www.facebook.com/watch/?v=1234567890": "FACEBOOK",
  "https://x.com/someone/status/1700000000000000000": "X",
  "https://twitter.com/someone/status/1700000000000000000": "X",
  "https://www.linkedin.com/posts/someone_a-post-activity-7100000000000000000-abcd": "LINKEDIN",
  "https://www.threads.net/@someone/post/Cabcdefghij": "THREADS",
  "https://bsky.app/profile/someone.bsky.social/post/3kabcdefghi2x": "BLUESKY",
  "https://www.reddit.com/r/some/comments/abc123/a_title/": "REDDIT",
  "https://news.ycombinator.com/item?id=1": "HACKERNEWS",
  "https://vimeo.com/76979871": "VIMEO",
  "https://www.loom.com/share/0123456789abcdef0123456789abcdef": "LOOM",
  "https://www.twitch.tv/videos/123456789": "TWITCH",
  "https://www.dailymotion.com/video/x8abcde": "DAILYMOTION",
  "https://open.spotify.com/episode/4rOoJ6Egrf8K2IrywzwOMk": "SPOTIFY",
  "https://soundcloud.com/someone/a-track": "SOUNDCLOUD",
  "https://github.com/nodejs/node": "GITHUB",
  "https://docs.google.com/document/d/1abcdefghijklmnopqrstuvwxyz0123456789/edit": "GOOGLE_DOC",
  "https://example.com/paper.pdf": "PDF",
  "https://example.com/talk.mp3": "AUDIO",
  "https://example.com/picture.png": "IMAGE",
  "https://example.com/an/article": "WEBSITE",
};

async function ingestPage(t: Probe, fields: object = {}): Promise<Resource> {
  const { id } = await t.inbound({ url: t.option("pageUrl"), ...fields });
  const tile = await t.read("tile", id, { wait: 25 });
  assertMatch(tile, { status: "ready", error: null }, "the tile after ?wait=25");
  return { ...tile, id };
}

export const linkAdditions = defineRequirements("Resources › Tiles", {
  "D-086": {
    statement: "The URL determines the type in the first response.",
    check: async function typesAreDetected(t) {
      const wrong: string[] = [];
      for (const [url, type] of Object.entries(KINDS)) {
        const tile = await t.inbound({ url });
        await t.call("DELETE", `/api/board/tiles/${tile.id}`);
        if (tile["type"] !== type) wrong.push(`${url}: expected ${type}, got ${String(tile["type"])}`);
      }
      assert(wrong.length === 0, wrong.join("; "));
    },
  },
  "D-087": {
    statement: "The rawContent of a link tile is the link, and so is its title until the title of the page is known.",
    check: async function linkIsTheFirstTitle(t) {
      const { id } = await t.inbound({ url: VIDEO_URL });
      const tile = await t.read("tile", id);
      await t.call("DELETE", `/api/board/tiles/${id}`);
      assertMatch(tile, { rawContent: VIDEO_URL, sourceUrl: VIDEO_URL }, "the tile");
      if (tile["status"] === "processing") assertEqual(tile["title"], VIDEO_URL, "title");
    },
  },
  "D-088": {
    section: "Resources › Additions",
    statement: "GET of a tile with `wait` responds when the tile is no longer processing.",
    check: async function waitsForIngestion(t) {
      const tile = await ingestPage(t);
      assertFields(tile, { title: "string", extractedText: "string", metadata: "object", sourceUrl: "string" }, "the ingested tile");
      assert(tile["title"] !== tile["rawContent"], "the page's own title did not replace the link");
    },
  },
  "D-089": {
    statement: "Ingestion never replaces a title that the caller set.",
    check: async function callerTitleIsKept(t) {
      assertEqual((await ingestPage(t, { title: "The caller's own" }))["title"], "The caller's own", "title");
    },
  },
  "D-090": {
    statement: "`POST …/retry` sets a ready tile to processing; it returns 409 if the text was replaced by a PATCH.",
    check: async function retriesLink(t) {
      const { id } = await ingestPage(t);
      const again = getObject(await t.call("POST", `/api/board/tiles/${id}/retry`), "tile");
      assertEqual(again["status"], "processing", "status after the retry");
      await t.call("GET", `/api/board/tiles/${id}`, { query: { wait: 25 } });
      await t.call("PATCH", `/api/board/tiles/${id}`, { body: { content: "Edited text" } });
      assertError(await t.call("POST", `/api/board/tiles/${id}/retry`), 409);
    },
  },
  "D-091": {
    statement: "A PATCH with content ends processing: the tile becomes ready with that content.",
    check: async function patchEndsIngestion(t) {
      const { id } = await t.inbound({ url: VIDEO_URL });
      const tile = await t.change("tile", id, { content: "Edited text" });
      assertMatch(tile, { status: "ready", extractedText: "Edited text", rawContent: "Edited text" }, "the tile");
      await t.pause(500);
      assertEqual((await t.read("tile", id))["extractedText"], "Edited text", "extractedText a little later");
    },
  },
  "D-092": {
    statement: "A tile that is deleted while it is processing stays deleted.",
    check: async function deletedStaysDeleted(t) {
      const { id } = await t.inbound({ url: VIDEO_URL });
      await t.call("DELETE", `/api/board/tiles/${id}`);
      await t.pause(500);
      assertError(await t.call("GET", `/api/board/tiles/${id}`), 404, "Tile not found.");
    },
  },
  "D-093": {
    statement: "The error of a failed tile is `{ code, message, stage, retryable, attempts }`; warnings report incomplete extraction.",
    unchecked: "requires pages that fail in known ways",
  },
});
