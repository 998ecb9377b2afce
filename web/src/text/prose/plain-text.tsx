import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { Span } from "../offset-map.ts";
import "./text.css";

export type TextProps = {
  readonly text: string;
  /** The span to highlight and scroll to. */
  readonly span?: Span | null;
};

/** Maximum characters of a paragraph, so that invisible ones need no layout. */
const MAX_CHUNK_LENGTH = 4_000;

/** Text with its line breaks, without formatting. */
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

/** A part of a text with the overlapping part of `span` highlighted. */
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

/** Scrolls to the highlighted span inside `box` when the span changes. */
export function useScrollToMark(box: RefObject<HTMLElement | null>, span: Span | null): void {
  useLayoutEffect(() => {
    if (span === null) return undefined;
    const show = () => box.current?.querySelector("mark")?.scrollIntoView({ block: "center" });
    show();
    // Content outside the view gets its final height only after rendering, so scroll once more.
    const frame = requestAnimationFrame(() => requestAnimationFrame(show));
    return () => cancelAnimationFrame(frame);
  }, [box, span]);
}

/** Splits a text, preferably after line breaks; joining the chunks gives the text again. */
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
