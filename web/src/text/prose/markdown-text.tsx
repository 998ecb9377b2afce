import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { highlightMark } from "../highlight.ts";
import type { Mark } from "../quote.ts";
import { type MarkdownBlock, parseBlocks, renderBlock } from "./markdown.ts";
import { NO_MARKS, PlainText, type TextProps, useScrollToMark } from "./plain-text.tsx";
import { sanitise } from "./sanitise.ts";
import "./text.css";

/** Blocks rendered first and in each later step, so that long texts do not block the page. */
const INITIAL_BLOCKS = 60;
const BLOCKS_PER_STEP = 150;

/** Text as sanitised Markdown; as plain text if it cannot be rendered or a mark cannot be located in it. */
export function MarkdownText({ text, marks = NO_MARKS }: TextProps) {
  const blocks = useMemo(() => parseBlocks(text), [text]);
  const [unmapped, setUnmapped] = useState<readonly Mark[] | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isPlain = blocks === null || (unmapped !== null && unmapped === marks);

  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || blocks === null) return undefined;
    const lastEnd = marks.at(-1)?.end ?? 0;
    const neededCount = blocks.findLastIndex(({ start }) => start < lastEnd) + 1;
    let renderedCount = Math.max(INITIAL_BLOCKS, neededCount);
    const initialNodes = renderBlocks(blocks.slice(0, renderedCount));
    const elements = [...initialNodes.children];
    // Light marks may be left out: there may be nothing but syntax between two others.
    if (!marks.every((mark) => highlightMark(text, blocks.slice(0, renderedCount), elements, mark) || mark.isLight === true)) {
      setUnmapped(marks);
      return undefined;
    }
    current.replaceChildren(initialNodes);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renderMore = (): void => {
      if (renderedCount >= blocks.length) return;
      current.append(renderBlocks(blocks.slice(renderedCount, renderedCount + BLOCKS_PER_STEP)));
      renderedCount += BLOCKS_PER_STEP;
      timer = setTimeout(renderMore);
    };
    timer = setTimeout(renderMore);
    // Print all blocks.
    const renderAll = (): void => {
      clearTimeout(timer);
      current.append(renderBlocks(blocks.slice(renderedCount)));
      renderedCount = blocks.length;
    };
    window.addEventListener("beforeprint", renderAll);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("beforeprint", renderAll);
    };
  }, [blocks, isPlain, text, marks]);
  useScrollToMark(box, marks);

  return isPlain ? <PlainText text={text} marks={marks} /> : <div ref={box} className="prose" />;
}

/** Each block gets its own text direction. */
function renderBlocks(blocks: readonly MarkdownBlock[]): DocumentFragment {
  const nodes = sanitise(blocks.map((block) => `<div>${renderBlock(block)}</div>`).join(""));
  for (const node of nodes.children) node.setAttribute("dir", "auto");
  return nodes;
}
