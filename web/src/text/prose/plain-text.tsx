import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { Span } from "../offset-map.ts";
import "./text.css";

export type TextProps = {
  readonly text: string;
  /** What is marked and brought into view. */
  readonly span?: Span | null;
};

/** Characters of one paragraph at most, so that what is out of view need not be laid out. */
const MAX_CHUNK_LENGTH = 4_000;

/** A text as it is, with its line breaks. */
export function PlainText({ text, span = null }: TextProps) {
  const box = useRef<HTMLDivElement>(null);
  const chunks = useMemo(() => splitText(text), [text]);
  useScrollToMark(box, span);
  return (
    <div ref={box} className="prose-plain">
      {chunks.map((chunk) => (
        <p key={chunk.start}>
          <Slice text={text} {...chunk} span={span} />
        </p>
      ))}
    </div>
  );
}

/** A part of a text, with what of `span` falls into it marked. */
export function Slice({ text, start, end, span }: TextProps & Span) {
  const [from, to] = span == null ? [end, end] : [Math.max(start, span.start), Math.min(end, span.end)];
  if (from >= to) return text.slice(start, end);
  return (
    <>
      {text.slice(start, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to, end)}
    </>
  );
}

/** Brings what is marked inside `box` to the middle of the view, whenever another span is marked. */
export function useScrollToMark(box: RefObject<HTMLElement | null>, span: Span | null): void {
  useLayoutEffect(() => {
    if (span === null) return undefined;
    const show = () => box.current?.querySelector("mark")?.scrollIntoView({ block: "center" });
    show();
    // Parts that were out of view get their true height only then, and move it once more.
    const frame = requestAnimationFrame(() => requestAnimationFrame(show));
    return () => cancelAnimationFrame(frame);
  }, [box, span]);
}

/** Cuts behind line breaks where it can; joined, the pieces are the text again. */
function splitText(text: string): Span[] {
  const chunks: Span[] = [];
  for (let start = 0; start < text.length;) {
    const whole = start + MAX_CHUNK_LENGTH;
    const cut = whole >= text.length ? text.length : Math.max(text.lastIndexOf("\n", whole - 1), text.lastIndexOf(" ", whole - 1)) + 1;
    const end = cut > start ? cut : whole;
    chunks.push({ start, end });
    start = end;
  }
  return chunks;
}
