import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Answer, type Asked, openWire, sample } from "../../support/wire.ts";

const ID = `UC${"a".repeat(22)}`;

type Part = (asked: Asked) => Answer | undefined;

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

it("the operator's yt-dlp finds captions that no other source has, which are fetched with all restrictions", async () => {
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

it("the operator's yt-dlp prefers written captions to automatic ones, and the operator's languages to all", async () => {
  const wire = await youtube({
    captions: ({ query }) => `{"events":[{"tStartMs":0,"segs":[{"utf8":"In ${query.get("tlang") ?? query.get("lang")}."}]}]}`,
  });
  const { path } = program(answering({ ...INFO, subtitles: { fr: caption("fr") } }));
  expect((await wire.ingest(VIDEO, { settings: { ytdlpPath: path } })).text).toContain("In fr.");
  const german = await wire.ingest(VIDEO, { settings: { ytdlpPath: path, transcriptLanguages: ["de"] } });
  expect(german).toMatchObject({ text: expect.stringContaining("In de."), metadata: { language: "de" } });
});

it("the operator's yt-dlp does not run if the player has the captions, or knows that there are none", async () => {
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
])("yt-dlp that %s leaves the video to oEmbed", async (_, lines, more) => {
  const wire = await youtube();
  const path = lines === null ? "/nowhere/yt-dlp" : program(lines).path;
  const found = await wire.ingest(VIDEO, { settings: { ytdlpPath: path } });
  expect(found).toMatchObject({ title: "How a lighthouse lens bends light", metadata: { author: "Harbour Lab" } });
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "captcha", ...more]);
  expect(wire.calls.at(-1)).toContain("/oembed");
});

it("yt-dlp that hangs is ended in time", async () => {
  const wire = await youtube();
  const { path } = program("exec sleep 60");
  const found = await wire.ingest(VIDEO, { settings: { ytdlpPath: path } });
  expect(found.title).toBe("How a lighthouse lens bends light");
});
