import { IngestError, type Ingested } from "#domain/content/job.ts";
import type { TileMetadata, TileWarning } from "#domain/content/tile.ts";
import { truncateText, countWords, normaliseTitle, truncationWarning, replaceInvalidCharacters } from "../clean/text.ts";
import type { ExtractContext, Extractor, Moved } from "./extractor.ts";
import { type Cue, writeTranscript } from "./transcript/transcript.ts";
import { tidyMetadata } from "./metadata.ts";
import { isVerdict, rankOf, TOLD_TROUBLES } from "./errors.ts";

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
  readonly trouble?: IngestError;
  /** Nothing better is to be had: the steps behind are left out. */
  readonly isWhole?: boolean;
};

/** One way to the thing: a call, a page, another call. Throws `IngestError` when it is barred, null when it does not apply. */
export type Step = {
  readonly name: string;
  /** Its time in milliseconds, where it needs another than most. */
  readonly timeMs?: number;
  readonly take: (context: ExtractContext, soFar: PartialResult, troubles: readonly IngestError[]) => Promise<PartialResult | Moved | null>;
};

export type Chain = {
  /** Told when no step was whole: what could not be had, and what a person can do. */
  readonly missing: TileWarning;
  /** From the best to the least; the first whole one ends it. */
  readonly steps: readonly Step[];
};

/** One step's time, so that a source that hangs leaves some for those behind it. */
const STEP_MS = 12_000;
/** What remains of an attempt's time once its steps are over. */
const MARGIN_MS = 2_000;
/** A better answer is waited for so long before the thin one is taken. */
const MAX_WAIT_SECONDS = 60;

const isMoved = (found: PartialResult | Moved): found is Moved => "moved" in found;

const holdsSomething = ({ title, text, cues }: PartialResult): boolean => Boolean(title) || Boolean(text) || (cues?.length ?? 0) > 0;

/** What was found before goes before what is found later. */
function merge(before: PartialResult, after: PartialResult): PartialResult {
  return {
    title: before.title || after.title || null,
    // A whole text takes the place of a thin one.
    text: (after.isWhole && after.text) || before.text || after.text || null,
    cues: before.cues?.length ? before.cues : (after.cues ?? []),
    metadata: { ...after.metadata, ...before.metadata },
    // The last step knows best what is still missing.
    warnings: after.warnings ?? before.warnings ?? [],
    isWhole: after.isWhole ?? false,
  };
}

/**
 * Makes an extractor's `extract` of steps that are tried in order. A verdict (private, deleted, barred in this region) ends the
 * chain at once; any other trouble leads to the next step. Where only something thin was had because of a passing trouble,
 * the link is tried again later; on the last try the thin one is taken, with warnings that say what is missing and why.
 */
export function chain({ missing, steps }: Chain): Extractor["extract"] {
  return async (context) => {
    const troubles: IngestError[] = [];
    let soFar: PartialResult = {};
    for (const step of steps) {
      context.signal.throwIfAborted();
      // What was had is settled before the attempt's own time runs out, with which it would be lost.
      const left = context.endsAt - context.clock.now() - MARGIN_MS;
      if (left <= 0 && holdsSomething(soFar)) break;
      try {
        const found = await takeStep(step, context, { soFar, troubles, left });
        if (found === null) continue;
        if (isMoved(found)) return found;
        soFar = merge(soFar, found);
        if (found.trouble !== undefined) troubles.push(found.trouble);
        if (soFar.isWhole) break;
      } catch (error) {
        context.signal.throwIfAborted();
        if (!(error instanceof IngestError)) throw error;
        if (isVerdict(error) && !holdsSomething(soFar)) throw error;
        troubles.push(error);
      }
    }
    const passing = context.isLastAttempt ? undefined : longest(troubles.filter(({ retryable }) => retryable));
    const worst = troubles.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
    if (!holdsSomething(soFar)) throw passing ?? worst ?? nothingFound(missing);
    if (!soFar.isWhole) {
      if (passing && (passing.retryAfterSeconds ?? 0) <= MAX_WAIT_SECONDS) throw passing;
      soFar = { ...soFar, warnings: warningsOf(missing, soFar.warnings ?? [], troubles) };
    }
    return asIngested(context, soFar);
  };
}

/** The one that asks for the longest wait, since who comes back earlier is refused again. */
const longest = (troubles: readonly IngestError[]): IngestError | undefined =>
  troubles.toSorted((a, b) => (b.retryAfterSeconds ?? 0) - (a.retryAfterSeconds ?? 0))[0];

type Progress = { readonly soFar: PartialResult; readonly troubles: readonly IngestError[]; readonly left: number };

async function takeStep(step: Step, context: ExtractContext, { soFar, troubles, left }: Progress): Promise<PartialResult | Moved | null> {
  const late = new AbortController();
  const own = context.stepMs ?? step.timeMs ?? STEP_MS;
  const timeMs = Math.max(1, holdsSomething(soFar) ? Math.min(own, left) : own);
  const cancelTimeout = context.clock.after(timeMs, () => late.abort(outOfTime()));
  try {
    return await step.take({ ...context, signal: AbortSignal.any([context.signal, late.signal]) }, soFar, troubles);
  } finally {
    cancelTimeout();
  }
}

const outOfTime = (): IngestError =>
  new IngestError("timeout", "The source took too long to answer. Try again later.", { stage: "fetch", retryable: true });

/** What is missing, what a step said of it, and the bars that were met, each once. */
function warningsOf(missing: TileWarning, said: readonly TileWarning[], troubles: readonly IngestError[]): TileWarning[] {
  const all = [missing, ...said];
  for (const { code, message } of troubles) if (TOLD_TROUBLES.has(code)) all.push({ code, message });
  return all.filter((one, place) => all.findIndex(({ code }) => code === one.code) === place);
}

const nothingFound = (missing: TileWarning): IngestError => new IngestError("no_text", missing.message, { stage: "extract" });

function asIngested({ kind }: ExtractContext, found: PartialResult): Ingested {
  const title = normaliseTitle(found.title);
  const written = replaceInvalidCharacters((found.text ?? "").replace(/\r\n?/g, "\n")).trim();
  const spoken = writeTranscript(found.cues ?? []);
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
      ...tidyMetadata(found.metadata ?? {}),
      wordCount: countWords(capped.text),
    },
    warnings: capped.truncated
      ? [...(found.warnings ?? []), truncationWarning(spoken.text === "" ? "text" : "transcript")]
      : (found.warnings ?? []),
  };
}
