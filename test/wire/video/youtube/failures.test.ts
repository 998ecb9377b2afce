import { expect, it } from "vitest";
import { sample } from "../../support/wire.ts";
import { LINK, unplayable, open } from "./pages.ts";

it.each([
  ["private", unplayable("LOGIN_REQUIRED", "This is a private video. Please sign in to verify that you may see it."), "private"],
  ["deleted", unplayable("ERROR", "This video is unavailable"), "not_found"],
  ["removed by its uploader", unplayable("ERROR", "This video has been removed by the uploader"), "not_found"],
  ["blocked in this country", unplayable("UNPLAYABLE", "The uploader has not made this video available in your country"), "region_locked"],
  ["for members", unplayable("UNPLAYABLE", "Join this channel to get access to members-only content"), "members_only"],
  ["not started", unplayable("LIVE_STREAM_OFFLINE", "This live event will begin in 3 hours."), "not_started"],
])("a video on YouTube that is %s fails with that reason, without further requests", async (_, answer, code) => {
  const wire = await open({ player: () => answer });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(wire.calls).toHaveLength(1);
});

it("a video on YouTube that requires a login for all clients is read from oEmbed, with both reasons", async () => {
  const wire = await open({
    player: () => sample("youtube/youtube.player.login_required.json"),
    watch: () => sample("youtube/youtube.recaptcha.html"),
  });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({ title: "How a lighthouse lens bends light", metadata: { author: "Harbour Lab" } });
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "captcha"]);
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "captcha", retryable: true });
});

it("a video on YouTube behind a consent page fails with a message if no other source responds", async () => {
  const wire = await open({
    player: () => ({ status: 500, body: "{}" }),
    watch: () => sample("youtube/youtube.consent.html"),
    oembed: () => ({ status: 503, body: "Later" }),
  });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "cookie_wall" });
});

it("a video beyond a rate limit is retried after the service's delay, and accepted incomplete in the last attempt", async () => {
  const late = { status: 429, headers: { "retry-after": "7" }, body: "Slow down" };
  const wire = await open({ player: () => late, watch: () => late });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({
    code: "rate_limited",
    retryable: true,
    retryAfterSeconds: 7,
  });
  expect((await wire.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
});

it.each([
  ["no JSON", "Hello"],
  ["an empty object", "{}"],
  ["null", "null"],
  ["a list", "[[[]]]"],
  ["unexpected types everywhere", JSON.stringify({ playabilityStatus: { status: "OK" }, videoDetails: [], captions: 7 })],
])("a video on YouTube is read from its page if the player responds %s", async (_, answer) => {
  const plain = sample("youtube/youtube.watch.html").replace("&exp=xpe", "");
  const wire = await open({ player: () => answer, watch: () => plain });
  expect(await wire.ingest(LINK)).toMatchObject({
    title: "How a lighthouse lens bends light",
    segments: [{ seconds: 0.4 }, { seconds: 3.7 }],
  });
});

it("a video with partial results keeps them, although the last source says that it is private", async () => {
  const wire = await open({ timedtext: () => "", oembed: () => ({ status: 401, body: "Unauthorized" }) });
  expect(await wire.ingest(LINK)).toMatchObject({ text: expect.stringContaining("A short film"), warnings: [{ code: "no_transcript" }] });
  const unplayable = await open({ player: () => ({ status: 403 }), watch: () => ({ status: 403 }), oembed: () => ({ status: 403 }) });
  await expect(unplayable.ingest(LINK)).rejects.toMatchObject({ code: "forbidden" });
});

it("a video on YouTube is retried after the longest delay that any source requested, whatever else failed", async () => {
  const later = (seconds: string) => ({ status: 503, headers: { "retry-after": seconds } });
  const consent = await open({
    player: () => later("20"),
    watch: () => sample("youtube/youtube.consent.html"),
    oembed: () => later("3"),
  });
  await expect(consent.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ retryable: true, retryAfterSeconds: 20 });
  await expect(consent.ingest(LINK)).rejects.toMatchObject({ code: "cookie_wall" });
});

it("a video with partial results is accepted before the time of the attempt ends", async () => {
  const wire = await open({ timedtext: () => "hang" });
  const found = await wire.ingest(LINK, { sourceTimeoutMs: 4_000, timeoutMs: 60_000 });
  expect(found).toMatchObject({ title: "How a lighthouse lens bends light", warnings: [{ code: "no_transcript" }] });
});
