import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { highlightSpan } from "../highlight.ts";
import type { Span } from "../offset-map.ts";
import { type Block, parseBlocks, renderBlock } from "./markdown.ts";
import { PlainText, type TextProps, useScrollToMark } from "./plain-text.tsx";
import { sanitise } from "./sanitise.ts";
import "./text.css";

/** Blocks rendered first and in each later step, so that long texts do not block the page. */
const INITIAL_BLOCKS = 60;
const BLOCKS_PER_STEP = 150;

/** Text as sanitised Markdown; as plain text if it cannot be rendered or the span cannot be located in it. */
export function MarkdownText({ text, span = null }: TextProps) {
  const blocks = useMemo(() => parseBlocks(text), [text]);
  const [unmappedSpan, setUnmappedSpan] = useState<Span | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isPlain = blocks === null || (unmappedSpan !== null && unmappedSpan === span);

  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || blocks === null) return undefined;
    const neededCount = span === null ? 0 : blocks.findLastIndex(({ start }) => start < span.end) + 1;
    let renderedCount = Math.max(INITIAL_BLOCKS, neededCount);
    const initialNodes = renderBlocks(blocks.slice(0, renderedCount));
    if (span !== null && !highlightSpan(text, blocks.slice(0, renderedCount), [...initialNodes.children], span)) {
      setUnmappedSpan(span);
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
  }, [blocks, isPlain, text, span]);
  useScrollToMark(box, span);

  return isPlain ? <PlainText text={text} span={span} /> : <div ref={box} className="prose" />;
}

/** Each block gets its own text direction. */
function renderBlocks(blocks: readonly Block[]): DocumentFragment {
  const nodes = sanitise(blocks.map((block) => `<div>${renderBlock(block)}</div>`).join(""));
  for (const node of nodes.children) node.setAttribute("dir", "auto");
  return nodes;
}
