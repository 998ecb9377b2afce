import type { FetchedResource } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import { ModelError } from "#domain/model/model.ts";
import type { TileType, TileWarning } from "#domain/content/tile.ts";
import type { Semaphore } from "#runtime/turns/semaphore.ts";
import type { ParsedDocument } from "../../read/format.ts";
import type { ExtractContext } from "../../extract/extractor.ts";
import { getModelTask, type ModelTask } from "./model-task.ts";
import { runInSlot } from "./run-in-slot.ts";
import { sniffMedia } from "./media-type.ts";

const MIB = 1024 * 1024;
/** Time reserved at the end of an attempt. */
const RESERVE_MS = 1_000;
/** If a provider asks for a longer wait, the attempt is not retried. */
const MAX_WAIT_SECONDS = 60;

/** Whether a model will read a file of this type and length, so that its bytes must be kept. */
export const isForModel = (context: ExtractContext, type: TileType, length: number): boolean =>
  length <= (getModelTask(context, type)?.maxBytes ?? -1);

/**
 * Adds what a model reads in a picture or recording to the parsed file. `complete` are the file's bytes if all of them were fetched;
 * otherwise `fetchWhole` fetches them. A failure becomes a warning with its reason. While attempts are left, a transient failure is
 * thrown as a retryable `IngestError`.
 */
export async function readByModel(
  context: ExtractContext,
  file: { readonly type: TileType; readonly read: ParsedDocument; readonly name: string | null; readonly size: number | null },
  bytes: { readonly complete: Uint8Array | null; readonly fetchWhole: (maxBytes: number) => Promise<FetchedResource> },
  semaphore: Semaphore,
): Promise<ParsedDocument> {
  const { type, read } = file;
  const task = getModelTask(context, type);
  // Drawings with text and recordings with lyrics don't have this warning and need no model.
  if (task === null || !read.warnings.some(({ code }) => code === task.replacedCode)) return read;
  const without = read.warnings.filter(({ code }) => code !== task.replacedCode);
  const withReason = (reason: string): ParsedDocument => ({ ...read, warnings: [...without, toWarning(task, reason)] });
  const tooLarge = `It is larger than ${task.maxBytes / MIB} MB, the limit for files that are sent to a model. Upload a smaller version of it.`;
  if (file.size !== null && file.size > task.maxBytes) return withReason(tooLarge);
  const deadline = new AbortController();
  const left = context.endsAt - context.clock.now() - RESERVE_MS;
  const cancelDeadline = context.clock.after(Math.max(1, Math.floor(left)), () => deadline.abort());
  const signal = AbortSignal.any([context.signal, deadline.signal]);
  try {
    return await runInSlot(semaphore, context, signal, async () => {
      const body = bytes.complete ?? (await fetchComplete(bytes.fetchWhole, task.maxBytes));
      if (body === null) return withReason(tooLarge);
      const format = sniffMedia(body);
      if (format === null) return read;
      const media = { bytes: body, mediaType: format.mediaType, name: toUploadName(file.name, format.extension) };
      return (await task.run(media, { ...read, warnings: without }, signal)) ?? withReason(task.nothingFound);
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

const toWarning = ({ code, subject }: ModelTask, reason: string): TileWarning => ({ code, message: `${subject}. ${reason}` });

/** Fetches the whole file. Returns null if it is larger than `maxBytes`. */
async function fetchComplete(fetchWhole: (maxBytes: number) => Promise<FetchedResource>, maxBytes: number): Promise<Uint8Array | null> {
  const { body, truncated } = await fetchWhole(maxBytes);
  return truncated ? null : body;
}

/** Returns the file's name with the extension of its actual format, by which providers detect it. */
function toUploadName(name: string | null, extension: string): string {
  const stem = (name ?? "").replace(/\.[a-z0-9]{1,8}$/i, "").slice(0, 100);
  return `${stem === "" ? "file" : stem}.${extension}`;
}

function isTransient(error: ModelError | IngestError): boolean {
  if ((error.retryAfterSeconds ?? 0) > MAX_WAIT_SECONDS) return false;
  return error instanceof IngestError ? error.retryable : error.failure === "unreachable" || error.failure === "rate_limited";
}

function toTransientError(error: ModelError | IngestError, { subject }: ModelTask): IngestError {
  if (error instanceof IngestError) return error;
  const { retryAfterSeconds } = error;
  return new IngestError(error.failure === "rate_limited" ? "rate_limited" : "connection_failed", `${subject}. ${error.message}`, {
    stage: "extract",
    retryable: true,
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
