import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IngestError } from "#domain/content/job.ts";
import { ProgramError, runProgram } from "#runtime/process/child.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import { captchaError } from "../../../extract/sources/errors.ts";
import { type CaptionTrack, withCaptions } from "../../../extract/transcript/caption-tracks.ts";
import { ORIGIN, SERVICE } from "./player.ts";

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const OPTIONS = ["-J", "--skip-download", "--no-playlist", "--no-warnings", "--no-config", "--no-cache-dir"];

const programError = (message: string, cause: unknown): IngestError =>
  new IngestError("program_failed", message, { stage: "extract", cause });

/** Maps a failure of the program. Its output is not shown to users. */
function mapProgramError(error: Error, output: string): IngestError {
  const code = (error as { code?: unknown }).code;
  if (code === "ENOENT" || code === "EACCES")
    return programError("The program yt-dlp can't be run. Ask the operator of this server to check YTDLP_PATH.", error);
  if (code === "ABORT_ERR") return programError("The program yt-dlp took too long to answer. Retry later, or paste the text.", error);
  if (/not a bot|HTTP Error 429/i.test(output)) return captchaError(SERVICE);
  return programError(
    "The program yt-dlp could not read this video. Ask the operator of this server to update it, or paste the text.",
    error,
  );
}

/** Runs the program without a shell and with a minimal environment. */
async function run(program: string, address: string, signal: AbortSignal): Promise<string> {
  // A new empty folder, because the program loads configuration and plugins from its home.
  const home = await mkdtemp(join(tmpdir(), "tessera-yt-dlp-"));
  try {
    return await runIn(home, program, address, signal);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function runIn(home: string, program: string, address: string, signal: AbortSignal): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home, LANG: "C.UTF-8" };
  const bounds = {
    env,
    cwd: home,
    signal,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
  } as const;
  try {
    return (await runProgram(program, [...OPTIONS, "--", address], bounds)).stdout;
  } catch (error) {
    if (error instanceof ProgramError) throw mapProgramError(error.cause as Error, error.stderr.slice(0, 4_000));
    throw error;
  }
}

/** Finds the best file of one language: `json3` is preferred to `vtt`, which repeats lines. */
function findFile(forms: unknown): URL | null {
  const files = Array.isArray(forms) ? forms : [];
  const found = ["json3", "vtt"].map((ext) => files.find((file) => getString(file, "ext") === ext)).find((file) => file !== undefined);
  const url = URL.parse(getString(found, "url") ?? "");
  return url !== null && url.protocol === "https:" ? url : null;
}

function listTracks(response: unknown, key: "subtitles" | "automatic_captions"): CaptionTrack[] {
  const languages = getValue(response, key);
  if (languages === null || typeof languages !== "object") return [];
  return Object.entries(languages)
    .slice(0, 1_000)
    .flatMap(([language, forms]) => {
      const url = findFile(forms);
      if (url === null || language === "live_chat") return [];
      const isAutomatic = key === "automatic_captions";
      // `en-orig` is the original of automatic captions; `tlang` is the language of a translation.
      return [{ url: url.href, language: language.replace(/-orig$/, ""), isAutomatic, isTranslated: url.searchParams.has("tlang") }];
    });
}

function resultFrom(response: unknown, id: string): PartialResult {
  const published = getString(response, "upload_date")?.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
  return {
    title: getString(response, "title"),
    text: getString(response, "description"),
    metadata: omitEmpty({
      author: getString(response, "channel") ?? getString(response, "uploader"),
      authorUrl: getString(response, "channel_url"),
      siteName: SERVICE,
      publishedAt: toIsoDate(published),
      durationSeconds: getNumber(response, "duration"),
      thumbnailUrl: getString(response, "thumbnail"),
      canonicalUrl: `${ORIGIN}/watch?v=${id}`,
      stats: keepValidCounts({
        views: getNumber(response, "view_count"),
        likes: getNumber(response, "like_count"),
        comments: getNumber(response, "comment_count"),
      }),
    }),
  };
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch (error) {
    throw programError("The program yt-dlp returned invalid JSON. Ask the operator of this server to check YTDLP_PATH.", error);
  }
}

async function readWithYtDlp(context: ExtractContext, program: string, id: string): Promise<PartialResult> {
  const response = parse(await run(program, `${ORIGIN}/watch?v=${id}`, context.signal));
  const tracks = [...listTracks(response, "subtitles"), ...listTracks(response, "automatic_captions")];
  const found = resultFrom(response, id);
  // A response with formats but without tracks means that the video has no captions. Without formats, the response is incomplete.
  if (tracks.length === 0 && getArray(response, "formats").length === 0) return found;
  return withCaptions(context, found, { service: SERVICE, tracks, spoken: getString(response, "language") });
}

/**
 * Runs the operator's yt-dlp (`YTDLP_PATH`) if earlier sources found no captions. The program only looks up the video; the caption file
 * is fetched by the guarded fetcher.
 */
export const ytdlp: ContentSource = {
  name: "yt-dlp",
  setting: "YTDLP_PATH",
  timeoutMs: 25_000,
  run: async (context, partial) => {
    const program = context.settings.ytdlpPath;
    const id = context.kind.id ?? "";
    if (program === "" || (partial.cues?.length ?? 0) > 0 || !/^[\w-]{11}$/.test(id)) return null;
    return readWithYtDlp(context, program, id);
  },
};
