import { useEffect, useMemo, useRef, useState } from "react";
import { getUrlAtTime } from "../../text/links.ts";
import type { Span } from "../../text/offset-map.ts";
import type { Mark } from "../../text/quote.ts";
import { MarkdownText } from "../../text/prose/markdown-text.tsx";
import { Slice, useScrollToMark } from "../../text/prose/plain-text.tsx";
import { copyText } from "../../ui/controls/copy-button.tsx";
import { cn } from "../../ui/class-names.ts";
import { formatDuration } from "../../ui/time/format-time.ts";
import type { TranscriptRow } from "./transcript.ts";

export type TranscriptTextProps = {
  readonly text: string;
  readonly rows: readonly TranscriptRow[];
  readonly sourceUrl: string | null;
  readonly marks: readonly Mark[];
};

/** A transcript with timestamps, and the text before and after it. */
export function TranscriptText({ text, rows, sourceUrl, marks }: TranscriptTextProps) {
  const box = useRef<HTMLOListElement>(null);
  const [from, to] = [rows[0]?.start ?? 0, rows.at(-1)?.end ?? 0];
  const inside = useMemo(() => marks.filter(({ start }) => start >= from && start < to), [marks, from, to]);
  const outside = useMemo(() => marks.filter((mark) => !inside.includes(mark)), [marks, inside]);
  useScrollToMark(box, inside);
  const isLong = rows.some(({ seconds }) => seconds >= 3_600);
  return (
    <div className="flex flex-col gap-4">
      <SurroundingText text={text} start={0} end={from} marks={outside} />
      <ol ref={box} className={cn("flex flex-col gap-1", isLong ? LONG_TIMES : SHORT_TIMES)} aria-label="Transcript">
        {rows.map((row) => (
          <li
            key={row.start}
            className="flex gap-3 [contain-intrinsic-size:auto_3rem] [content-visibility:auto] print:[content-visibility:visible]"
          >
            <Time seconds={row.seconds} sourceUrl={sourceUrl} />
            <p dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              <Slice text={text} start={row.start} end={row.end} marks={inside} />
            </p>
          </li>
        ))}
      </ol>
      <SurroundingText text={text} start={to} end={text.length} marks={outside} />
    </div>
  );
}

function SurroundingText({ text, start, end, marks }: Span & { readonly text: string; readonly marks: readonly Mark[] }) {
  const part = text.slice(start, end);
  const shown = useMemo(
    () => marks.filter((mark) => mark.start < end && mark.end > start).map((mark) => cutMark(mark, start, end)),
    [marks, start, end],
  );
  return part.trim() === "" ? null : <MarkdownText text={part} marks={shown} />;
}

const cutMark = (mark: Mark, start: number, end: number): Mark => ({
  ...mark,
  start: Math.max(mark.start, start) - start,
  end: Math.min(mark.end, end) - start,
});

/** All timestamps have one width, so that the text is aligned. */
const [SHORT_TIMES, LONG_TIMES] = ["[--times:2.75rem]", "[--times:3.5rem]"];
const TIME =
  "inline-flex h-fit min-w-(--times) shrink-0 rounded-sm pt-1 pb-0.5 text-sm leading-4 text-accent tabular-nums hover:underline pointer-coarse:min-h-11";

/** Opens the source at that time if its host supports it; otherwise copies the time. */
function Time({ seconds, sourceUrl }: { readonly seconds: number; readonly sourceUrl: string | null }) {
  const [shown, address] = [formatDuration(seconds), getUrlAtTime(sourceUrl, seconds)];
  return address === null ? (
    <CopyTime shown={shown} />
  ) : (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" aria-label={`Open at ${shown}`} className={TIME}>
      {shown}
    </a>
  );
}

function CopyTime({ shown }: { readonly shown: string }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), 1_500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    copyText(shown).then(
      () => setOutcome("Copied"),
      () => setOutcome("Not copied"),
    );
  return (
    <button type="button" aria-label={`Copy time ${shown}`} onClick={() => void copy()} className={TIME}>
      <span aria-live="polite">{outcome ?? shown}</span>
    </button>
  );
}
