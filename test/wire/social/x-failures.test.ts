import { expect, it } from "vitest";
import { openWire, sample } from "../support/wire.ts";
import { ID, LINK, SYNDICATION, FX, respondWith } from "./x-sources.ts";

const OEMBED = "publish.x.com";
const tombstone = (text: string): string => JSON.stringify({ __typename: "TweetTombstone", tombstone: { text: { text } } });

it.each([
  ["deleted", "This Post was deleted by the Post author.", "not_found"],
  ["of a suspended account", "This Post is from a suspended account.", "not_found"],
  ["protected", "You’re unable to view this Post because this account owner limits who can view their Posts.", "private"],
])("a post on X that is %s fails with that reason, without further requests", async (_, text, code) => {
  const wire = await openWire({ [SYNDICATION]: respondWith(tombstone(text)), [OEMBED]: respondWith(sample("social/x.oembed.json")) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false, message: expect.stringMatching(/^This post .*\.$/) });
  expect(wire.calls).toHaveLength(1);
});

it("a post on X for adults has the text of its embed, with the reason", async () => {
  const wire = await openWire({
    [SYNDICATION]: respondWith(tombstone("Age-restricted adult content. This content might not be appropriate.")),
    [OEMBED]: respondWith(sample("social/x.oembed.json")),
  });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({
    text: "A lighthouse lens is a stack of prisms. https://t.co/abc",
    metadata: { author: "Harbour Lab", siteName: "X", language: "en", publishedAt: "2024-05-13T00:00:00.000Z" },
  });
  expect(found.warnings.map(({ code }) => code)).toEqual(["truncated", "age_restricted"]);
  expect(wire.calls[1]).toContain(`GET ${OEMBED}/oembed?omit_script=1&url=https%3A%2F%2Fx.com%2Fharbourlab%2Fstatus%2F${ID}`);
});

it.each([
  ["an empty answer and no embed", sample("social/x.syndication.notfound.json"), { status: 404, body: "{}" }, "not_found"],
  ["no answer of either", { status: 404, body: "" }, { status: 404, body: "" }, "not_found"],
  ["a blocked embed", "{}", { status: 403, body: "{}" }, "private"],
  ["forms unknown", '{"a":1}', "<html>Hi</html>", "source_changed"],
  ["lists and numbers instead of text", '{"__typename":"Tweet","text":[1],"user":7,"entities":"x"}', "[]", "source_changed"],
] as const)("a post on X with %s fails with a message", async (_, first, second, code) => {
  const wire = await openWire({ [SYNDICATION]: respondWith(first), [OEMBED]: respondWith(second) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, message: expect.stringMatching(/^[A-Z].*\.$/) });
});

it("a post on X is read from its embed if the first source is down, after retries", async () => {
  const late = { status: 429, headers: { "retry-after": "7" }, body: "" };
  const wire = await openWire({ [SYNDICATION]: respondWith(late), [OEMBED]: respondWith(sample("social/x.oembed.json")) });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({
    code: "rate_limited",
    retryable: true,
    retryAfterSeconds: 7,
  });
  expect((await wire.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["truncated", "rate_limited"]);
  const down = await openWire({ [OEMBED]: respondWith(sample("social/x.oembed.json")) });
  expect((await down.ingest(LINK)).text).toContain("stack of prisms");
});

const shell = "<!doctype html><html><head><title>X</title></head><body>JavaScript is not available.</body></html>";

it("an account or a space on X is behind a login, unless its page or FxTwitter has content", async () => {
  const wire = await openWire({
    "x.com": ({ path }) =>
      path === "/told"
        ? '<html><head><meta property="og:title" content="Told (@told) on X"><meta property="og:description" content="Keeper."></head></html>'
        : shell,
    [FX]: () =>
      JSON.stringify({ code: 200, user: { name: "Harbour Lab", screen_name: "harbourlab", description: "Lenses.", followers: 3 } }),
  });
  await expect(wire.ingest("https://x.com/harbourlab")).rejects.toMatchObject({ code: "login_wall" });
  await expect(wire.ingest("https://x.com/i/spaces/1abcDEFghIJkL")).rejects.toMatchObject({ code: "login_wall" });
  expect(await wire.ingest("https://x.com/told")).toMatchObject({ text: "Keeper.", warnings: [{ code: "login_wall" }] });
  expect(await wire.ingest("https://x.com/harbourlab", { settings: { fxTwitter: true } })).toMatchObject({
    title: "Harbour Lab",
    text: "Lenses.",
    metadata: { stats: { followers: 3 } },
  });
});
