import { expect, it } from "vitest";
import { openWire, sample } from "../../support/wire.ts";
import { GRAPH, settings, head, error } from "./pages.ts";

const HOST = "www.facebook.com";
const LINK = "https://www.facebook.com/harbourlab/posts/pfbid02AbCdEf";

it("a post on Facebook has the text of the tags of its page, complete unless truncated", async () => {
  const wire = await openWire({ [HOST]: () => sample("meta/facebook.page.html") });
  expect(await wire.ingest(LINK)).toMatchObject({
    type: "FACEBOOK",
    title: "Harbour Lab on Facebook: We rebuilt the lens from 1890 drawings.",
    text: "We rebuilt the lens from 1890 drawings.",
    metadata: { subtype: "POST", author: "Harbour Lab", siteName: "Facebook", thumbnailUrl: "https://scontent.fbcdn.example/a.jpg" },
    warnings: [],
  });
  const cut = await openWire({ [HOST]: () => head("Harbour Lab", "We rebuilt the lens and...") });
  expect((await cut.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["truncated"]);
});

it("a post on Facebook whose title continues with its text has the right author, also with a name like a login", async () => {
  const wire = await openWire({
    [HOST]: ({ path }) =>
      path.startsWith("/harbourlab")
        ? head("Harbour Lab - We rebuilt the lens | Facebook", "We rebuilt the lens from drawings.")
        : head("Login Petrov", "Words."),
  });
  expect((await wire.ingest(LINK)).metadata.author).toBe("Harbour Lab");
  expect((await wire.ingest("https://www.facebook.com/petrov/posts/123")).metadata.author).toBe("Login Petrov");
});

it.each([
  ["https://www.facebook.com/watch/?v=1234567890123456", "/v25.0/oembed_video"],
  ["https://www.facebook.com/reel/1234567890123456", "/v25.0/oembed_video"],
  [LINK, "/v25.0/oembed_post"],
])("the Facebook post %s is requested at its own oEmbed endpoint", async (link, path) => {
  const wire = await openWire({ [GRAPH]: () => error(190), [HOST]: () => sample("meta/facebook.page.html") });
  const found = await wire.ingest(link, { settings });
  expect(found.warnings.every(({ message }) => !message.includes("s3cret"))).toBe(true);
  expect(wire.asked[0]?.path).toBe(path);
});

it("a post on Facebook shared by a short link is read at its target", async () => {
  const wire = await openWire({
    "fb.watch": () => ({ status: 302, headers: { location: "https://www.facebook.com/harbourlab/videos/123/" } }),
    [HOST]: () => head("Harbour Lab", "How a lens works."),
  });
  expect(await wire.ingest("https://fb.watch/aBcDeFgHiJ/")).toMatchObject({
    type: "FACEBOOK",
    text: "How a lens works.",
    warnings: [{ code: "no_transcript" }],
  });
});

it.each([
  ["redirects to the login", { status: 302, headers: { location: "https://www.facebook.com/login/?next=x" } }, "login_wall"],
  ["is the login page", head("Log in to Facebook", "Log in to Facebook to start sharing and connecting with your friends."), "login_wall"],
  ["has a title alone", "<html><head><title>Facebook</title></head></html>", "login_wall"],
  [
    "says that the post is unavailable",
    "<html><head><title>Facebook</title></head><body>This content isn't available right now</body></html>",
    "not_found",
  ],
] as const)("a post on Facebook whose page %s fails with that reason", async (_, answer, code) => {
  const wire = await openWire({ [HOST]: ({ path }) => (path.startsWith("/login") ? "<html></html>" : answer) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, message: expect.stringMatching(/^[A-Z].*\.$/) });
});
