import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, type Asked, openWire, sample } from "../support/wire.ts";

const ID = `UC${"a".repeat(22)}`;
const HANDLE = "https://www.youtube.com/@harbourlab/videos";
const FEED = `<?xml version="1.0" encoding="UTF-8"?><feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">
<title>Harbour Lab</title><author><name>Harbour Lab</name></author>
<entry><title>How a lens bends light</title><published>2026-03-02T09:00:00+00:00</published></entry>
<entry><title>Fog &amp; light</title><published>2026-02-01T09:00:00+00:00</published></entry></feed>`;
const PAGE = `<html><head><title>Harbour Lab - YouTube</title><meta property="og:title" content="Harbour Lab"><meta property="og:description" content="Films about light."><meta property="og:image" content="https://yt3.example/a.jpg"><link rel="canonical" href="https://www.youtube.com/channel/${ID}"></head></html>`;

type Part = (asked: Asked) => Answer | undefined;
const open = (more: { page?: Part; feed?: Part; resolve?: Part } = {}) =>
  openWire({
    "www.youtube.com": (asked) => {
      if (asked.path === "/feeds/videos.xml") return (more.feed ?? (() => FEED))(asked);
      if (asked.path === "/youtubei/v1/navigation/resolve_url") return more.resolve?.(asked);
      return (more.page ?? (() => PAGE))(asked);
    },
  });

describe("a channel on YouTube", () => {
  it("lists its latest videos after its description", async () => {
    const wire = await open();
    expect(await wire.ingest(HANDLE)).toMatchObject({
      type: "YOUTUBE",
      title: "Harbour Lab",
      text: "Films about light.\n\n1. How a lens bends light · 2026-03-02\n2. Fog & light · 2026-02-01",
      metadata: {
        subtype: "CHANNEL",
        author: "Harbour Lab",
        siteName: "YouTube",
        thumbnailUrl: "https://yt3.example/a.jpg",
        canonicalUrl: `https://www.youtube.com/channel/${ID}`,
      },
      warnings: [{ code: "truncated", message: "Only the latest videos of the channel are listed (2)." }],
    });
    expect(wire.calls).toEqual(["GET www.youtube.com/@harbourlab?hl=en", `GET www.youtube.com/feeds/videos.xml?channel_id=${ID}`]);
  });

  it.each([
    ["https://www.youtube.com/c/HarbourLab", "/c/HarbourLab"],
    ["https://www.youtube.com/user/harbour/about", "/user/harbour"],
    [`https://www.youtube.com/channel/${ID}`, `/channel/${ID}`],
    ["https://www.youtube.com/@%E7%81%AF%E5%8F%B0", "/@%E7%81%AF%E5%8F%B0"],
  ])("is found by its page with %s", async (link, path) => {
    const wire = await open();
    await wire.ingest(link);
    expect(wire.calls[0]).toBe(`GET www.youtube.com${path}?hl=en`);
  });

  it("is named by the data of its page if the head has no name", async () => {
    const wire = await open({ page: () => `<html><title>X</title><script>var d = {"externalId":"${ID}"};</script></html>` });
    await wire.ingest(HANDLE);
    expect(wire.calls.at(-1)).toContain(ID);
  });

  it("behind a consent page is found by its handle", async () => {
    const wire = await open({
      page: () => sample("youtube/youtube.consent.html"),
      resolve: ({ body }) =>
        body.includes('"https://www.youtube.com/@harbourlab"')
          ? JSON.stringify({ endpoint: { browseEndpoint: { browseId: ID } } })
          : undefined,
    });
    expect(await wire.ingest(HANDLE)).toMatchObject({ title: "Harbour Lab", text: expect.stringMatching(/^1\. How a lens/) });
  });

  it("fails with the reason of the page if its id is unknown", async () => {
    const wire = await open({
      page: () => sample("youtube/youtube.consent.html"),
      resolve: () => '{"endpoint":{"browseEndpoint":{"browseId":"x"}}}',
    });
    await expect(wire.ingest(HANDLE)).rejects.toMatchObject({ code: "cookie_wall" });
  });

  it("whose feed is down is read from its videos tab", async () => {
    const data = {
      metadata: {
        channelMetadataRenderer: { title: "Harbour Lab", description: "Films.", channelUrl: `https://www.youtube.com/channel/${ID}` },
      },
      list: [{ lockupViewModel: { contentId: "aaaaaaaaaaa", metadata: { lockupMetadataViewModel: { title: { content: "Lens" } } } } }],
    };
    const wire = await open({
      feed: () => ({ status: 500 }),
      page: ({ path }) => (path.endsWith("/videos") ? `<script>var ytInitialData = ${JSON.stringify(data)};</script>` : PAGE),
    });
    expect(await wire.ingest(HANDLE)).toMatchObject({
      title: "Harbour Lab",
      text: "Films.\n\n1. Lens",
      warnings: [{ message: "Only the latest videos of the channel are listed (1)." }],
    });
  });

  it("that is missing fails with that reason, without further requests", async () => {
    const wire = await open({ page: () => ({ status: 404 }) });
    await expect(wire.ingest(HANDLE)).rejects.toMatchObject({ code: "not_found" });
    expect(wire.calls).toHaveLength(1);
  });

  it("beyond a rate limit is retried after YouTube's delay", async () => {
    const wire = await open({ feed: () => ({ status: 429, headers: { "retry-after": "4" } }), page: () => ({ status: 429 }) });
    await expect(wire.ingest(`https://www.youtube.com/channel/${ID}`)).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 4,
    });
  });
});

describe("a post on YouTube", () => {
  const LINK = "https://www.youtube.com/post/UgkxAbCd";
  const page = (post: unknown): string =>
    `<html><head><meta property="og:title" content="Post from Harbour Lab"><meta property="og:description" content="Short."></head><script>var ytInitialData = ${JSON.stringify({ contents: [{ backstagePostThreadRenderer: { post: { backstagePostRenderer: post } } }] })};</script></html>`;
  const open = (html: string) => openWire({ "www.youtube.com": () => html });
  const post = {
    postId: "UgkxAbCd",
    authorText: { runs: [{ text: "Harbour Lab" }] },
    authorEndpoint: { browseEndpoint: { browseId: ID } },
    contentText: {
      runs: [
        { text: "New film!\nSee " },
        {
          text: "https://example.org/a-lo...",
          navigationEndpoint: {
            urlEndpoint: { url: "https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fexample.org%2Fa-long-address" },
          },
        },
      ],
    },
    backstageAttachment: { pollRenderer: { choices: [{ text: { runs: [{ text: "Yes" }] } }, { text: { runs: [{ text: "No" }] } }, 7] } },
  };

  it("has its complete text with links written out, and the options of its poll", async () => {
    expect(await (await open(page(post))).ingest(LINK)).toMatchObject({
      title: "New film!",
      text: "New film!\nSee https://example.org/a-long-address\n\n- Yes\n- No",
      metadata: { subtype: "POST", author: "Harbour Lab", authorUrl: `https://www.youtube.com/channel/${ID}`, canonicalUrl: LINK },
      warnings: [],
    });
  });

  it.each([
    ["nothing", {}],
    ["unexpected types", { contentText: { runs: "x" }, backstageAttachment: [7] }],
  ])("has the metadata of its page, with a warning, if the data has %s", async (_, data) => {
    expect(await (await open(page(data))).ingest(LINK)).toMatchObject({ text: "Short.", warnings: [{ code: "thin_content" }] });
  });

  it("that is a clip has the metadata of its page, with a warning", async () => {
    const wire = await open(
      '<html><head><meta property="og:title" content="✂️ The lens"><meta property="og:description" content="12 seconds."></head></html>',
    );
    expect(await wire.ingest("https://www.youtube.com/clip/UgkxAbCdEfGhIjKlMnOp")).toMatchObject({
      title: "✂️ The lens",
      metadata: { subtype: "CLIP" },
      warnings: [{ code: "thin_content" }],
    });
  });

  it("whose page is empty fails with that reason", async () => {
    await expect((await open("<html><title>YouTube</title></html>")).ingest(LINK)).rejects.toMatchObject({ code: "source_changed" });
  });
});

describe("the operator's yt-dlp", () => {
  const VIDEO = "https://youtu.be/fakeVid0001";
  const caption = (lang: string, more = ""): { ext: string; url: string }[] => [
    { ext: "vtt", url: `https://www.youtube.com/api/timedtext?lang=${lang}&fmt=vtt${more}` },
    { ext: "json3", url: `https://www.youtube.com/api/timedtext?lang=${lang}&fmt=json3${more}` },
  ];
  const INFO = {
    title: "How a lens bends light",
    description: "A film.",
    channel: "Harbour Lab",
    channel_url: `https://www.youtube.com/channel/${ID}`,
    upload_date: "20260302",
    duration: 93,
    view_count: 7,
    language: "en",
    formats: [{}],
    subtitles: { live_chat: [{ ext: "json3", url: "https://www.youtube.com/live" }] },
    automatic_captions: { de: caption("en", "&tlang=de"), "en-orig": caption("en") },
  };

  /** A program that records its arguments and prints the given output. */
  function program(lines: string): { readonly path: string; readonly told: () => string } {
    const folder = mkdtempSync(join(tmpdir(), "tessera-program-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "yt-dlp");
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/told'\nenv > '${folder}/env'\n${lines}\n`);
    chmodSync(path, 0o755);
    return { path, told: () => `${readFileSync(join(folder, "told"), "utf8")}${readFileSync(join(folder, "env"), "utf8")}` };
  }
  const answering = (info: unknown): string => `cat <<'END'\n${JSON.stringify(info)}\nEND`;

  const youtube = (more: { player?: Part; captions?: Part } = {}) =>
    openWire({
      "www.youtube.com": (asked) => {
        if (asked.path === "/oembed") return sample("youtube/youtube.oembed.json");
        if (asked.path === "/api/timedtext") return (more.captions ?? (() => sample("youtube/youtube.timedtext.json3.json")))(asked);
        return (more.player ?? (() => sample("youtube/youtube.recaptcha.html")))(asked);
      },
    });

  it("finds captions that no other source has, which are fetched with all restrictions", async () => {
    process.env["TESSERA_TEST_SECRET"] = "keep-this";
    onTestFinished(() => void delete process.env["TESSERA_TEST_SECRET"]);
    const wire = await youtube();
    const { path, told } = program(answering(INFO));
    expect(await wire.ingest(VIDEO, { settings: { ytdlpPath: path } })).toMatchObject({
      title: "How a lens bends light",
      text: expect.stringMatching(/^A film\.\n\nA lighthouse lens is a stack/),
      segments: [{ seconds: 0.4 }, { seconds: 3.7 }],
      metadata: { author: "Harbour Lab", publishedAt: "2026-03-02T00:00:00.000Z", language: "en", stats: { views: 7 } },
      warnings: [],
    });
    expect(wire.calls.at(-1)).toBe("GET www.youtube.com/api/timedtext?lang=en&fmt=json3");
    expect(told()).toMatch(
      /^-J\n--skip-download\n--no-playlist\n--no-warnings\n--no-config\n--no-cache-dir\n--\nhttps:\/\/www\.youtube\.com\/watch\?v=fakeVid0001\n/,
    );
    expect(told()).not.toContain("keep-this");
  });

  it("prefers written captions to automatic ones, and the operator's languages to all", async () => {
    const wire = await youtube({
      captions: ({ query }) => `{"events":[{"tStartMs":0,"segs":[{"utf8":"In ${query.get("tlang") ?? query.get("lang")}."}]}]}`,
    });
    const { path } = program(answering({ ...INFO, subtitles: { fr: caption("fr") } }));
    expect((await wire.ingest(VIDEO, { settings: { ytdlpPath: path } })).text).toContain("In fr.");
    const german = await wire.ingest(VIDEO, { settings: { ytdlpPath: path, transcriptLanguages: ["de"] } });
    expect(german).toMatchObject({ text: expect.stringContaining("In de."), metadata: { language: "de" } });
  });

  it("does not run if the player has the captions, or knows that there are none", async () => {
    const { path, told } = program(answering(INFO));
    for (const name of ["youtube/youtube.player.json", "youtube/youtube.player.nocaptions.json"]) {
      await (await youtube({ player: () => sample(name) })).ingest(VIDEO, { settings: { ytdlpPath: path } });
    }
    expect(told).toThrow("ENOENT");
  });

  it.each<readonly [string, string | null, readonly string[]]>([
    ["is missing", null, ["program_failed"]],
    ["ends with an error", "echo 'ERROR: broken' >&2; exit 1", ["program_failed"]],
    ["answers no JSON", "echo Hello", ["program_failed"]],
    ["returns unexpected types", `echo '{"subtitles":[7],"automatic_captions":{"en":{"url":3}}}'`, []],
    ["answers null", "echo null", []],
    ["returns an address that is not on the web", answering({ subtitles: { en: [{ ext: "vtt", url: "file:///etc/passwd" }] } }), []],
    ["answers without end", "yes x", ["program_failed"]],
  ])("that %s leaves the video to oEmbed", async (_, lines, more) => {
    const wire = await youtube();
    const path = lines === null ? "/nowhere/yt-dlp" : program(lines).path;
    const found = await wire.ingest(VIDEO, { settings: { ytdlpPath: path } });
    expect(found).toMatchObject({ title: "How a lighthouse lens bends light", metadata: { author: "Harbour Lab" } });
    expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "captcha", ...more]);
    expect(wire.calls.at(-1)).toContain("/oembed");
  });

  it("that hangs is ended in time", async () => {
    const wire = await youtube();
    const { path } = program("exec sleep 60");
    const found = await wire.ingest(VIDEO, { settings: { ytdlpPath: path } });
    expect(found.title).toBe("How a lighthouse lens bends light");
  });
});
