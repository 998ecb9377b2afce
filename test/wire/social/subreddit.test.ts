import { expect, it } from "vitest";
import { openWire } from "../support/wire.ts";
import { WWW, respondWith, reddit, entry, buildAtom } from "./reddit-site.ts";

const posts = buildAtom(
  entry(
    "t3_a",
    "jane",
    '<div class="md"><p>Rings.</p></div> submitted by <a href="x">/u/jane</a> <span><a href="x">[link]</a></span> <span><a href="y">[comments]</a></span>',
    "Lenses",
  ),
  entry("t3_b", "fan", "", "Towers"),
);

it.each([
  ["https://www.reddit.com/r/optics/", "/r/optics/.rss", "## Lenses · jane\n\nRings.\n\n## Towers · fan"],
  ["https://www.reddit.com/user/jane", "/user/jane/.rss", "## Lenses\n\nRings.\n\n## Towers"],
])("%s has its latest posts", async (link, path, text) => {
  const wire = await openWire({ [WWW]: reddit({ atom: respondWith(posts) }) });
  expect(await wire.ingest(link)).toMatchObject({ type: "REDDIT", text, warnings: [] });
  expect(wire.calls).toEqual([`GET ${WWW}${path}`]);
});

it("a subreddit or a user that is private fails with that reason", async () => {
  const wire = await openWire({ [WWW]: respondWith({ status: 403, body: '{"reason":"private","error":403}' }) });
  await expect(wire.ingest("https://www.reddit.com/r/optics/")).rejects.toMatchObject({ code: "private" });
});
