import { findShortage } from "#domain/core/errors/shortage.ts";
import { IngestError, type Ingested } from "#domain/content/job.ts";
import type { TileMetadata, TileWarning } from "#domain/content/tile.ts";
import { truncateText, countWords, normaliseTitle, truncationWarning, replaceInvalidCharacters } from "../../clean/text.ts";
import type { ExtractContext, Extractor, HandOff } from "../extractor.ts";
import { type Cue, buildTranscript } from "../transcript/transcript.ts";
import { sanitiseMetadata } from "./metadata.ts";
import { isPermanent, rankSeverity, WARNING_CODES } from "./errors.ts";

/** The result of one source. Later sources add missing parts. */
export type PartialResult = {
  readonly title?: string | null;
  /** The written text: a post, a description. */
  readonly text?: string | null;
  /** The spoken text, with its times. */
  readonly cues?: readonly Cue[];
  readonly metadata?: TileMetadata;
  readonly warnings?: readonly TileWarning[];
  /** Why the result is incomplete. */
  readonly error?: IngestError;
  /** Whether the remaining sources can be skipped, because they have nothing better. */
  readonly isComplete?: boolean;
};

/** One way to read a link, such as an API call or a page. `run` throws `IngestError` if it fails, and returns null if it does not apply. */
export type ContentSource = {
  readonly name: string;
  /** The environment variable that enables or configures it, for docs/links.md. */
  readonly setting?: string;
  /** Replaces the default timeout. */
  readonly timeoutMs?: number;
  readonly run: (
    context: ExtractContext,
    partial: PartialResult,
    errors: readonly IngestError[],
  ) => Promise<PartialResult | HandOff | null>;
};

export type SourceList = {
  /** The warning if no source is complete: what is missing, and what users can do. */
  readonly missing: TileWarning;
  /** From the best to the last resort; the first complete result ends the run. */
  readonly sources: readonly ContentSource[];
};

/** Default timeout of one source. It leaves time for the sources after it. */
const SOURCE_TIMEOUT_MS = 12_000;
/** Time reserved at the end of an attempt to store the result. */
const RESERVE_MS = 2_000;
/** If a source asks for a longer wait, an incomplete result is stored instead of retrying. */
const MAX_WAIT_SECONDS = 60;

const isHandOff = (found: PartialResult | HandOff): found is HandOff => "handOffTo" in found;

const hasContent = ({ title, text, cues }: PartialResult): boolean => Boolean(title) || Boolean(text) || (cues?.length ?? 0) > 0;

/** Merges the results of two sources. The first one takes precedence, except for the text of a complete result. */
function mergeResults(before: PartialResult, after: PartialResult): PartialResult {
  return {
    title: before.title || after.title || null,
    text: (after.isComplete && after.text) || before.text || after.text || null,
    cues: before.cues?.length ? before.cues : (after.cues ?? []),
    metadata: { ...after.metadata, ...before.metadata },
    // Warnings of earlier sources may be about parts that this source has added.
    warnings: after.warnings ?? before.warnings ?? [],
    isComplete: after.isComplete ?? false,
  };
}

/**
 * Creates an extractor's `extract` from sources that are tried in order. A permanent error (private, deleted, blocked in this region)
 * ends the run; after any other error the next source is tried. If the result is incomplete after a transient error, the job is retried.
 * The last attempt returns the incomplete result, with warnings that say what is missing and why.
 */
export function runSources({ missing, sources }: SourceList): Extractor["extract"] {
  return async (context) => {
    const errors: IngestError[] = [];
    let partial: PartialResult = {};
    for (const source of sources) {
      context.signal.throwIfAborted();
      // The attempt's own timeout would discard the partial result.
      const left = context.endsAt - context.clock.now() - RESERVE_MS;
      if (left <= 0 && hasContent(partial)) break;
      try {
        const found = await runSource(source, context, { partial, errors, left });
        if (found === null) continue;
        if (isHandOff(found)) return found;
        partial = mergeResults(partial, found);
        if (found.error !== undefined) errors.push(found.error);
        if (partial.isComplete) break;
      } catch (error) {
        context.signal.throwIfAborted();
        // What this machine is short of says nothing about the link, so nothing is concluded from what the other sources have.
        if (!(error instanceof IngestError) || findShortage(error) !== null) throw error;
        if (isPermanent(error) && !hasContent(partial)) throw error;
        errors.push(error);
      }
    }
    const transient = context.isLastAttempt ? undefined : findLongestWait(errors.filter(({ retryable }) => retryable));
    const worst = errors.toSorted((a, b) => rankSeverity(a) - rankSeverity(b))[0];
    if (!hasContent(partial)) throw transient ?? worst ?? noContentError(missing);
    if (!partial.isComplete) {
      if (transient && (transient.retryAfterSeconds ?? 0) <= MAX_WAIT_SECONDS) throw transient;
      partial = { ...partial, warnings: collectWarnings(missing, partial.warnings ?? [], errors) };
    }
    return toIngested(context, partial);
  };
}

/** Returns the error that asks for the longest wait, because an earlier retry would be refused again. */
const findLongestWait = (errors: readonly IngestError[]): IngestError | undefined =>
  errors.toSorted((a, b) => (b.retryAfterSeconds ?? 0) - (a.retryAfterSeconds ?? 0))[0];

type Progress = { readonly partial: PartialResult; readonly errors: readonly IngestError[]; readonly left: number };

async function runSource(
  source: ContentSource,
  context: ExtractContext,
  { partial, errors, left }: Progress,
): Promise<PartialResult | HandOff | null> {
  const timeout = new AbortController();
  const sourceTimeoutMs = context.sourceTimeoutMs ?? source.timeoutMs ?? SOURCE_TIMEOUT_MS;
  const timeoutMs = Math.max(1, hasContent(partial) ? Math.min(sourceTimeoutMs, left) : sourceTimeoutMs);
  const cancelTimeout = context.clock.after(timeoutMs, () => timeout.abort(timeoutError()));
  try {
    return await source.run({ ...context, signal: AbortSignal.any([context.signal, timeout.signal]) }, partial, errors);
  } finally {
    cancelTimeout();
  }
}

const timeoutError = (): IngestError =>
  new IngestError("timeout", "The source took too long to answer. Try again later.", { stage: "fetch", retryable: true });

/** Lists the warnings of an incomplete result, each code once: the missing part, the sources' own warnings, and their errors. */
function collectWarnings(missing: TileWarning, ownWarnings: readonly TileWarning[], errors: readonly IngestError[]): TileWarning[] {
  const all = [missing, ...ownWarnings];
  for (const { code, message } of errors) if (WARNING_CODES.has(code)) all.push({ code, message });
  return all.filter((one, index) => all.findIndex(({ code }) => code === one.code) === index);
}

const noContentError = (missing: TileWarning): IngestError => new IngestError("no_text", missing.message, { stage: "extract" });

function toIngested({ kind }: ExtractContext, found: PartialResult): Ingested {
  const title = normaliseTitle(found.title);
  const written = replaceInvalidCharacters((found.text ?? "").replace(/\r\n?/g, "\n")).trim();
  const spoken = buildTranscript(found.cues ?? []);
  const before = written === "" || spoken.text === "" ? written : `${written}\n\n`;
  const capped = truncateText(before + spoken.text || title || "");
  const segments = spoken.segments
    .map(({ start, end, seconds }) => ({ start: start + before.length, end: end + before.length, seconds }))
    .filter(({ end }) => end <= capped.text.length);
  return {
    type: kind.type,
    title,
    text: capped.text,
    ...(segments.length === 0 ? {} : { segments }),
    metadata: {
      ...(kind.subtype === undefined ? {} : { subtype: kind.subtype }),
      ...sanitiseMetadata(found.metadata ?? {}),
      wordCount: countWords(capped.text),
    },
    warnings: capped.truncated
      ? [...(found.warnings ?? []), truncationWarning(spoken.text === "" ? "text" : "transcript")]
      : (found.warnings ?? []),
  };
}
