import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { markSpan } from "../highlight.ts";
import type { Span } from "../letters.ts";
import { type Block, blocksOf, htmlOf } from "./markdown.ts";
import { PlainText, type TextProps, useMarkInView } from "./plain-text.tsx";
import { sanitise } from "./sanitise.ts";
import "./text.css";

/** Blocks that are drawn at once, and at each later turn, so that a long text keeps nobody waiting. */
const FIRST = 60;
const STEP = 150;

/** A text as sanitised Markdown; as it is where that can't be had, or where the span could not be found in it for certain. */
export function MarkdownText({ text, span = null }: TextProps) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  const [uncertain, setUncertain] = useState<Span | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isPlain = blocks === null || (uncertain !== null && uncertain === span);

  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || blocks === null) return undefined;
    const touched = span === null ? 0 : blocks.findLastIndex(({ start }) => start < span.end) + 1;
    let drawn = Math.max(FIRST, touched);
    const beginning = nodesOf(blocks.slice(0, drawn));
    if (span !== null && !markSpan(text, blocks.slice(0, drawn), [...beginning.children], span)) {
      setUncertain(span);
      return undefined;
    }
    current.replaceChildren(beginning);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const drawMore = (): void => {
      if (drawn >= blocks.length) return;
      current.append(nodesOf(blocks.slice(drawn, drawn + STEP)));
      drawn += STEP;
      timer = setTimeout(drawMore);
    };
    timer = setTimeout(drawMore);
    // Paper shows all of it.
    const drawAll = (): void => {
      clearTimeout(timer);
      current.append(nodesOf(blocks.slice(drawn)));
      drawn = blocks.length;
    };
    window.addEventListener("beforeprint", drawAll);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("beforeprint", drawAll);
    };
  }, [blocks, isPlain, text, span]);
  useMarkInView(box, span);

  return isPlain ? <PlainText text={text} span={span} /> : <div ref={box} className="prose" />;
}

/** Each block runs in the direction of its own letters. */
function nodesOf(blocks: readonly Block[]): DocumentFragment {
  const nodes = sanitise(blocks.map((block) => `<div>${htmlOf(block)}</div>`).join(""));
  for (const node of nodes.children) node.setAttribute("dir", "auto");
  return nodes;
}
