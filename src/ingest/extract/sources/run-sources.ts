import { IngestError, type Ingested } from "#domain/content/job.ts";
import type { TileMetadata, TileWarning } from "#domain/content/tile.ts";
import { truncateText, countWords, normaliseTitle, truncationWarning, replaceInvalidCharacters } from "../../clean/text.ts";
import type { ExtractContext, Extractor, HandOff } from "../extractor.ts";
import { type Cue, buildTranscript } from "../transcript/transcript.ts";
import { sanitizeMetadata } from "./metadata.ts";
import { isPermanent, severityRank, WARNING_CODES } from "./errors.ts";

/** What one step found out; what it leaves open the steps behind it may fill. */
export type PartialResult = {
  readonly title?: string | null;
  /** The thing's own written words: a post, a description. */
  readonly text?: string | null;
  /** Its spoken words, with their times. */
  readonly cues?: readonly Cue[];
  readonly metadata?: TileMetadata;
  readonly warnings?: readonly TileWarning[];
  /** What kept the step from having more. */
  readonly error?: IngestError;
  /** Nothing better is to be had: the steps behind are left out. */
  readonly isComplete?: boolean;
};

/** One way to the thing: a call, a page, another call. Throws `IngestError` when it is barred, null when it does not apply. */
export type Source = {
  readonly name: string;
  /** The environment variable that enables or configures it, for docs/links.md. */
  readonly setting?: string;
  /** Its time in milliseconds, where it needs another than most. */
  readonly timeoutMs?: number;
  readonly run: (
    context: ExtractContext,
    partial: PartialResult,
    errors: readonly IngestError[],
  ) => Promise<PartialResult | HandOff | null>;
};

export type SourceList = {
  /** Told when no step was whole: what could not be had, and what a person can do. */
  readonly missing: TileWarning;
  /** From the best to the least; the first whole one ends it. */
  readonly sources: readonly Source[];
};

/** One step's time, so that a source that hangs leaves some for those behind it. */
const SOURCE_TIMEOUT_MS = 12_000;
/** What remains of an attempt's time once its steps are over. */
const MARGIN_MS = 2_000;
/** A better answer is waited for so long before the thin one is taken. */
const MAX_WAIT_SECONDS = 60;

const isHandOff = (found: PartialResult | HandOff): found is HandOff => "handOffTo" in found;

const hasContent = ({ title, text, cues }: PartialResult): boolean => Boolean(title) || Boolean(text) || (cues?.length ?? 0) > 0;

/** What was found before goes before what is found later. */
function merge(before: PartialResult, after: PartialResult): PartialResult {
  return {
    title: before.title || after.title || null,
    // A whole text takes the place of a thin one.
    text: (after.isComplete && after.text) || before.text || after.text || null,
    cues: before.cues?.length ? before.cues : (after.cues ?? []),
    metadata: { ...after.metadata, ...before.metadata },
    // The last step knows best what is still missing.
    warnings: after.warnings ?? before.warnings ?? [],
    isComplete: after.isComplete ?? false,
  };
}

/**
 * Makes an extractor's `extract` of steps that are tried in order. A verdict (private, deleted, barred in this region) ends the
 * chain at once; any other trouble leads to the next step. Where only something thin was had because of a passing trouble,
 * the link is tried again later; on the last try the thin one is taken, with warnings that say what is missing and why.
 */
export function runSources({ missing, sources }: SourceList): Extractor["extract"] {
  return async (context) => {
    const errors: IngestError[] = [];
    let partial: PartialResult = {};
    for (const source of sources) {
      context.signal.throwIfAborted();
      // What was had is settled before the attempt's own time runs out, with which it would be lost.
      const left = context.endsAt - context.clock.now() - MARGIN_MS;
      if (left <= 0 && hasContent(partial)) break;
      try {
        const found = await runSource(source, context, { partial, errors, left });
        if (found === null) continue;
        if (isHandOff(found)) return found;
        partial = merge(partial, found);
        if (found.error !== undefined) errors.push(found.error);
        if (partial.isComplete) break;
      } catch (error) {
        context.signal.throwIfAborted();
        if (!(error instanceof IngestError)) throw error;
        if (isPermanent(error) && !hasContent(partial)) throw error;
        errors.push(error);
      }
    }
    const transient = context.isLastAttempt ? undefined : longestWait(errors.filter(({ retryable }) => retryable));
    const worst = errors.toSorted((a, b) => severityRank(a) - severityRank(b))[0];
    if (!hasContent(partial)) throw transient ?? worst ?? noContentError(missing);
    if (!partial.isComplete) {
      if (transient && (transient.retryAfterSeconds ?? 0) <= MAX_WAIT_SECONDS) throw transient;
      partial = { ...partial, warnings: collectWarnings(missing, partial.warnings ?? [], errors) };
    }
    return toIngested(context, partial);
  };
}

/** The one that asks for the longest wait, since who comes back earlier is refused again. */
const longestWait = (errors: readonly IngestError[]): IngestError | undefined =>
  errors.toSorted((a, b) => (b.retryAfterSeconds ?? 0) - (a.retryAfterSeconds ?? 0))[0];

type Progress = { readonly partial: PartialResult; readonly errors: readonly IngestError[]; readonly left: number };

async function runSource(
  source: Source,
  context: ExtractContext,
  { partial, errors, left }: Progress,
): Promise<PartialResult | HandOff | null> {
  const late = new AbortController();
  const own = context.sourceTimeoutMs ?? source.timeoutMs ?? SOURCE_TIMEOUT_MS;
  const timeoutMs = Math.max(1, hasContent(partial) ? Math.min(own, left) : own);
  const cancelTimeout = context.clock.after(timeoutMs, () => late.abort(timeoutError()));
  try {
    return await source.run({ ...context, signal: AbortSignal.any([context.signal, late.signal]) }, partial, errors);
  } finally {
    cancelTimeout();
  }
}

const timeoutError = (): IngestError =>
  new IngestError("timeout", "The source took too long to answer. Try again later.", { stage: "fetch", retryable: true });

/** What is missing, what a step said of it, and the bars that were met, each once. */
function collectWarnings(missing: TileWarning, said: readonly TileWarning[], errors: readonly IngestError[]): TileWarning[] {
  const all = [missing, ...said];
  for (const { code, message } of errors) if (WARNING_CODES.has(code)) all.push({ code, message });
  return all.filter((one, place) => all.findIndex(({ code }) => code === one.code) === place);
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
      ...sanitizeMetadata(found.metadata ?? {}),
      wordCount: countWords(capped.text),
    },
    warnings: capped.truncated
      ? [...(found.warnings ?? []), truncationWarning(spoken.text === "" ? "text" : "transcript")]
      : (found.warnings ?? []),
  };
}
