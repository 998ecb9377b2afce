import { Fragment, type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { Span } from "../offset-map.ts";
import "./text.css";

export type TextProps = {
  readonly text: string;
  /** What to highlight, in order; the first is scrolled to. The array must stay the same while its contents do. */
  readonly marks?: readonly Span[];
};

export const NO_MARKS: readonly Span[] = [];

/** Maximum characters of a paragraph, so that invisible ones need no layout. */
const MAX_CHUNK_LENGTH = 4_000;

/** Text with its line breaks, without formatting. */
export function PlainText({ text, marks = NO_MARKS }: TextProps) {
  const box = useRef<HTMLDivElement>(null);
  const chunks = useMemo(() => splitText(text), [text]);
  useScrollToMark(box, marks);
  return (
    <div ref={box} className="prose-plain">
      {chunks.map((chunk) => (
        <p key={chunk.start}>
          <Slice text={text} {...chunk} marks={marks} />
        </p>
      ))}
    </div>
  );
}

/** A part of a text with the overlapping parts of `marks` highlighted. */
export function Slice({ text, start, end, marks = NO_MARKS }: TextProps & Span) {
  const inside = marks.filter((mark) => mark.start < end && mark.end > start);
  return (
    <>
      {inside.map((mark, index) => (
        <Fragment key={mark.start}>
          {text.slice(Math.max(start, inside[index - 1]?.end ?? start), Math.max(start, mark.start))}
          <mark>{text.slice(Math.max(start, mark.start), Math.min(end, mark.end))}</mark>
        </Fragment>
      ))}
      {text.slice(Math.max(start, inside.at(-1)?.end ?? start), end)}
    </>
  );
}

/** Scrolls to the first highlight inside `box` when the highlights change. */
export function useScrollToMark(box: RefObject<HTMLElement | null>, marks: readonly Span[]): void {
  useLayoutEffect(() => {
    if (marks.length === 0) return undefined;
    const show = () => box.current?.querySelector("mark")?.scrollIntoView({ block: "center" });
    show();
    // Content outside the view gets its final height only after rendering, so scroll once more.
    const frame = requestAnimationFrame(() => requestAnimationFrame(show));
    return () => cancelAnimationFrame(frame);
  }, [box, marks]);
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
