import { Fragment, type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import { LIGHT_MARK } from "../highlight.ts";
import type { Span } from "../offset-map.ts";
import type { Mark } from "../quote.ts";
import "./text.css";

export type TextProps = {
  readonly text: string;
  /** What to highlight, in order; the first that is not light is scrolled to. The array must stay the same while its contents do. */
  readonly marks?: readonly Mark[];
};

export const NO_MARKS: readonly Mark[] = [];

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
          <mark className={mark.isLight === true ? LIGHT_MARK : undefined}>
            {text.slice(Math.max(start, mark.start), Math.min(end, mark.end))}
          </mark>
        </Fragment>
      ))}
      {text.slice(Math.max(start, inside.at(-1)?.end ?? start), end)}
    </>
  );
}

/** Scrolls to the first highlight inside `box` that is not light when the highlights change. */
export function useScrollToMark(box: RefObject<HTMLElement | null>, marks: readonly Mark[]): void {
  useLayoutEffect(() => {
    if (marks.length === 0) return undefined;
    const show = () => box.current?.querySelector(`mark:not(.${LIGHT_MARK})`)?.scrollIntoView({ block: "center" });
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
