import { expect, it } from "vitest";
import { openWire, sample } from "../../support/wire.ts";
import { settings, head, error } from "./pages.ts";

const HOST = "www.threads.com";
const LINK = "https://www.threads.com/@harbourlab/post/C8abcDEFghi";

it("a post on Threads has the text of the tags of its page", async () => {
  const wire = await openWire({ [HOST]: () => sample("meta/threads.page.html") });
  expect(await wire.ingest(LINK)).toMatchObject({
    type: "THREADS",
    title: "Harbour Lab on Threads: A lighthouse lens is a stack of prisms.",
    text: "A lighthouse lens is a stack of prisms.",
    metadata: { author: "Harbour Lab", authorUrl: "https://www.threads.com/@harbourlab", siteName: "Threads" },
    warnings: [],
  });
});

it("a post on Threads is requested at its own endpoint with the operator's token", async () => {
  const wire = await openWire({ "graph.threads.net": () => error(10), [HOST]: () => sample("meta/threads.page.html") });
  expect((await wire.ingest(LINK, { settings })).text).toContain("stack of prisms");
  expect(wire.asked[0]).toMatchObject({ host: "graph.threads.net", path: "/v1.0/oembed" });
  expect(wire.asked[1]?.query.has("access_token")).toBe(false);
});

it("a post on Threads behind a login fails with that reason", async () => {
  const wire = await openWire({
    [HOST]: () => head("Threads • Log in", "Join Threads to share ideas, ask questions, post random thoughts."),
  });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "login_wall" });
});
