import { expect, it } from "vitest";
import { type Asked, openWire, sample } from "../../support/wire.ts";
import { LINK, player, unplayable, open } from "./pages.ts";

const getClientName = ({ body }: Asked): string =>
  (JSON.parse(body) as { context: { client: { clientName: string } } }).context.client.clientName;

it("a video on YouTube has its description, its captions with times, and its metadata", async () => {
  const wire = await open();
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({
    type: "YOUTUBE",
    title: "How a lighthouse lens bends light",
    metadata: { subtype: "VIDEO", author: "Harbour Lab", siteName: "YouTube", durationSeconds: 93, language: "en" },
    warnings: [],
  });
  expect(found.text).toContain("A short film about Fresnel lenses.");
  expect(found.text).toContain("A lighthouse lens is a stack of prisms. Each ring bends light & sends it out flat.");
  const said = found.segments?.map(({ start, end, seconds }) => [found.text.slice(start, end), seconds]);
  expect(said).toEqual([
    ["A lighthouse lens is a stack of prisms.", 0.4],
    ["Each ring bends light & sends it out flat.", 3.7],
  ]);
  expect(wire.calls).toEqual([
    "POST www.youtube.com/youtubei/v1/player?prettyPrint=false",
    expect.stringMatching(/^GET www\.youtube\.com\/api\/timedtext\?.*lang=en&fmt=json3$/),
  ]);
});

it.each([
  ["https://www.youtube.com/shorts/fakeVid0001", "SHORT"],
  ["https://www.youtube.com/live/fakeVid0001", "LIVE"],
])("a video on YouTube is read as %s too", async (link, subtype) => {
  const wire = await open();
  expect(await wire.ingest(link)).toMatchObject({ type: "YOUTUBE", metadata: { subtype }, segments: expect.any(Array) });
});

it("a video on YouTube is requested as one client after another until one has captions", async () => {
  const asked: string[] = [];
  const wire = await open({
    player: (call) => {
      asked.push(getClientName(call));
      return asked.length === 1 ? sample("youtube/youtube.player.login_required.json") : player();
    },
  });
  expect((await wire.ingest(LINK)).segments).toHaveLength(2);
  expect(asked).toEqual(["VISIONOS", "IOS"]);
  const chosen = await open({
    player: (call) => (getClientName(call) === "TVHTML5" ? player() : unplayable("ERROR", "Video unavailable")),
  });
  expect((await chosen.ingest(LINK, { settings: { youtubeClients: ["TVHTML5"] } })).segments).toHaveLength(2);
});

it("a video on YouTube prefers written captions to automatic ones, and the operator's languages to all", async () => {
  const wire = await open({
    timedtext: ({ query }) => JSON.stringify({ events: [{ tStartMs: 0, dDurationMs: 1, segs: [{ utf8: `In ${query.get("lang")}.` }] }] }),
  });
  expect((await wire.ingest(LINK)).text).toContain("In en.");
  const spanish = await wire.ingest(LINK, { settings: { transcriptLanguages: ["fr", "es"] } });
  expect(spanish).toMatchObject({ text: expect.stringContaining("In es."), metadata: { language: "es" } });
});

it("a video whose captions are empty for a client is requested as the next one, and finally by its page", async () => {
  const wire = await open({ timedtext: () => "" });
  const found = await wire.ingest(LINK);
  expect(found.warnings).toEqual([{ code: "no_transcript", message: expect.stringContaining("captions of this video could not be read") }]);
  expect(found.text).toBe("A short film about Fresnel lenses.\n\n0:00 Intro\n0:40 The lens");
  expect(wire.calls.filter((call) => call.includes("/player"))).toHaveLength(3);
  expect(wire.calls.some((call) => call.includes("/watch"))).toBe(true);
});

it("a video on YouTube without captions has its description, with a warning and advice", async () => {
  const wire = await open({ player: () => sample("youtube/youtube.player.nocaptions.json") });
  expect(await wire.ingest("https://youtu.be/fakeVid0002")).toMatchObject({
    title: "Silent waves",
    text: "No speech.",
    warnings: [{ code: "no_transcript", message: "This video has no captions. Paste its text, or configure speech to text." }],
  });
  expect(wire.calls).toHaveLength(1);
});

it("a video on YouTube has the data of the Data API if the operator has a key, which is sent nowhere else", async () => {
  const wire = await openWire({
    "www.youtube.com": () => ({ status: 500 }),
    "www.googleapis.com": () =>
      JSON.stringify({
        items: [
          {
            snippet: { title: "Lens", description: "A film.", channelTitle: "Harbour Lab", publishedAt: "2026-03-02T09:00:00Z" },
            contentDetails: { duration: "PT1M33S" },
            statistics: { viewCount: "7" },
          },
        ],
      }),
  });
  expect(await wire.ingest(LINK, { settings: { youtubeApiKey: "operators-key" } })).toMatchObject({
    title: "Lens",
    text: "A film.",
    metadata: { durationSeconds: 93, stats: { views: 7 }, publishedAt: "2026-03-02T09:00:00.000Z" },
    warnings: [{ code: "no_transcript" }],
  });
  for (const { host, headers, path } of wire.asked)
    if (host !== "www.googleapis.com") expect(JSON.stringify({ headers, path })).not.toContain("operators-key");
});
