import type { FetchedResource } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import type { Media, SpokenPart } from "#domain/model/media.ts";
import { ModelError } from "#domain/model/model.ts";
import type { TileType, TileWarning } from "#domain/content/tile.ts";
import type { Semaphore } from "#runtime/semaphore.ts";
import { truncateText, truncationWarning, replaceInvalidCharacters } from "../../clean/text.ts";
import type { ParsedDocument } from "../../read/format.ts";
import { omitEmpty } from "../../read/json-access.ts";
import type { ExtractContext } from "../../extract/extractor.ts";
import { runInTurn } from "./run-in-turn.ts";
import { sniffMedia } from "./media-type.ts";

const MIB = 1024 * 1024;
/** Maximum sizes that are sent to a model: what the common providers accept. */
const MAX_PICTURE_BYTES = 20 * MIB;
const MAX_RECORDING_BYTES = 25 * MIB;
/** Time reserved at the end of an attempt. */
const RESERVE_MS = 1_000;
/** Maximum length of a transcript; the file's own metadata comes before it. */
const MAX_CHARACTERS = 900_000;
/** A provider that asks for a longer wait is not retried. */
const MAX_WAIT_SECONDS = 60;

type Task = {
  /** The code of the warning on failure, and of the warning that it replaces. */
  readonly code: string;
  readonly instead: string;
  readonly subject: string;
  readonly maxBytes: number;
  readonly run: (media: Media, read: ParsedDocument, signal: AbortSignal) => Promise<ParsedDocument | null>;
};

/** What a model could add to a file of this type; null where no model is configured for it. */
function taskOf({ media }: ExtractContext, type: TileType): Task | null {
  const { pictures = null, speech = null } = media ?? {};
  if (type === "IMAGE" && pictures !== null) {
    const subject = "This picture was not read by the model";
    return {
      code: "picture_not_read",
      instead: "no_text",
      subject,
      maxBytes: MAX_PICTURE_BYTES,
      async run(picture, read, signal) {
        const { description, words } = await pictures.read(picture, signal);
        const blocks = [read.text, description, words]
          .map((block) => replaceInvalidCharacters(block).trim())
          .filter((block) => block !== "");
        return description.trim() === "" && words.trim() === "" ? null : withText(read, [...new Set(blocks)].join("\n\n"), "text");
      },
    };
  }
  if ((type === "AUDIO" || type === "VIDEO") && speech !== null) {
    const subject = "This recording was not transcribed";
    return {
      code: "not_transcribed",
      instead: "no_transcript",
      subject,
      maxBytes: MAX_RECORDING_BYTES,
      async run(recording, read, signal) {
        const { parts, text, language, seconds } = await speech.read(recording, signal);
        const metadata = omitEmpty({
          ...read.metadata,
          language: read.metadata.language ?? language,
          durationSeconds: read.metadata.durationSeconds ?? (seconds === null || seconds < 1 ? null : Math.round(seconds)),
        });
        const lines = boundParts(parts);
        if (lines.some((line) => line.text.trim() !== ""))
          return {
            ...read,
            metadata,
            lines,
            warnings: lines.length < parts.length ? [...read.warnings, truncationWarning("transcript")] : read.warnings,
          };
        if (text.trim() === "") return null;
        const blocks = [read.text, replaceInvalidCharacters(text).trim()].filter((block) => block !== "");
        return { ...withText(read, blocks.join("\n\n"), "transcript"), metadata };
      },
    };
  }
  return null;
}

function withText(read: ParsedDocument, text: string, what: "text" | "transcript"): ParsedDocument {
  const capped = truncateText(text);
  return { ...read, text: capped.text, warnings: capped.truncated ? [...read.warnings, truncationWarning(what)] : read.warnings };
}

function boundParts(parts: readonly SpokenPart[]): readonly SpokenPart[] {
  let characters = 0;
  const end = parts.findIndex(({ text }) => (characters += text.length + 2) > MAX_CHARACTERS);
  return end < 0 ? parts : parts.slice(0, end);
}

/** Whether a model will read the file, so that its bytes must be kept. */
export const isForModel = (context: ExtractContext, type: TileType, length: number): boolean =>
  length <= (taskOf(context, type)?.maxBytes ?? -1);

/**
 * Adds what a model reads in a picture or recording to the file's own metadata. `complete` are the file's bytes where they are complete,
 * otherwise `fetchWhole` fetches them. A failure becomes a warning with its reason; a transient one is a retryable `IngestError` while
 * attempts are left.
 */
export async function readByModel(
  context: ExtractContext,
  file: { readonly type: TileType; readonly read: ParsedDocument; readonly name: string | null; readonly size: number | null },
  bytes: { readonly complete: Uint8Array | null; readonly fetchWhole: (maxBytes: number) => Promise<FetchedResource> },
  semaphore: Semaphore,
): Promise<ParsedDocument> {
  const { type, read } = file;
  const task = taskOf(context, type);
  // A drawing with text and a recording with lyrics have none of these warnings.
  if (task === null || !read.warnings.some(({ code }) => code === task.instead)) return read;
  const without = read.warnings.filter(({ code }) => code !== task.instead);
  const withReason = (why: string): ParsedDocument => ({ ...read, warnings: [...without, warningOf(task, why)] });
  const tooLarge = `It is larger than the ${task.maxBytes / MIB} MB that are sent to a model.`;
  if (file.size !== null && file.size > task.maxBytes) return withReason(tooLarge);
  const deadline = new AbortController();
  const left = context.endsAt - context.clock.now() - RESERVE_MS;
  const cancelDeadline = context.clock.after(Math.max(1, Math.floor(left)), () => deadline.abort());
  const signal = AbortSignal.any([context.signal, deadline.signal]);
  try {
    return await runInTurn(semaphore, context, signal, async () => {
      const body = bytes.complete ?? (await fetchComplete(bytes.fetchWhole, task.maxBytes));
      if (body === null) return withReason(tooLarge);
      const form = sniffMedia(body);
      if (form === null) return read;
      const media = { bytes: body, mediaType: form.mediaType, name: nameFor(file.name, form.ending) };
      const added = await task.run(media, { ...read, warnings: without }, signal);
      return added ?? withReason(type === "IMAGE" ? "No text or content recognised in this picture." : "No speech detected in this file.");
    });
  } catch (error) {
    context.signal.throwIfAborted();
    if (deadline.signal.aborted)
      return withReason("The model did not answer within the time of one attempt. Raise INGEST_TIMEOUT_MS, then retry.");
    if (!(error instanceof ModelError) && !(error instanceof IngestError)) throw error;
    if (!context.isLastAttempt && isTransient(error)) throw toTransientError(error, task);
    return withReason(error.message);
  } finally {
    cancelDeadline();
  }
}

const warningOf = ({ code, subject }: Task, why: string): TileWarning => ({ code, message: `${subject}. ${why}` });

async function fetchComplete(fetchWhole: (maxBytes: number) => Promise<FetchedResource>, maxBytes: number): Promise<Uint8Array | null> {
  const { body, truncated } = await fetchWhole(maxBytes);
  return truncated ? null : body;
}

/** The file's name with the extension of its actual format. */
function nameFor(name: string | null, ending: string): string {
  const stem = (name ?? "").replace(/\.[a-z0-9]{1,8}$/i, "").slice(0, 100);
  return `${stem === "" ? "file" : stem}.${ending}`;
}

function isTransient(error: ModelError | IngestError): boolean {
  if ((error.retryAfterSeconds ?? 0) > MAX_WAIT_SECONDS) return false;
  return error instanceof IngestError ? error.retryable : error.failure === "unreachable" || error.failure === "rate_limited";
}

function toTransientError(error: ModelError | IngestError, { subject }: Task): IngestError {
  if (error instanceof IngestError) return error;
  const { retryAfterSeconds } = error;
  return new IngestError(error.failure === "rate_limited" ? "rate_limited" : "connection_failed", `${subject}. ${error.message}`, {
    stage: "extract",
    retryable: true,
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
