import type { Tile } from "@tessera-board/sdk";
import { useMemo, useState } from "react";
import { MarkdownText } from "../../text/prose/markdown-text.tsx";
import { NO_MARKS, PlainText } from "../../text/prose/plain-text.tsx";
import { type Quote, findMarks } from "../../text/quote.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { Switch } from "../../ui/controls/switch.tsx";
import { TranscriptText } from "./transcript-text.tsx";
import { groupSegments } from "./transcript.ts";

/** The text of a tile, with a quote, or the words found in it, highlighted. */
export function TileText({ tile, quote }: { readonly tile: Tile; readonly quote: Quote | null }) {
  const { extractedText: text, segments, sourceUrl, status } = tile;
  const [isPlain, setPlain] = useState(false);
  const rows = useMemo(() => groupSegments(text, segments), [text, segments]);
  const marks = useMemo(() => (quote === null ? NO_MARKS : findMarks(text, quote)), [text, quote]);
  if (text === "") return status === "ready" ? <p className="text-quiet">This tile has no text.</p> : null;
  return (
    <section aria-label="Text" className="flex flex-col gap-3">
      {quote !== null && marks.length === 0 && <Notice kind="warn">The text has changed, and no longer contains this quote.</Notice>}
      {rows.length > 0 && !isPlain ? (
        <TranscriptText text={text} rows={rows} sourceUrl={sourceUrl} marks={marks} />
      ) : isPlain ? (
        <PlainText text={text} marks={marks} />
      ) : (
        <MarkdownText text={text} marks={marks} />
      )}
      <Switch label="Show as plain text" isOn={isPlain} onChange={setPlain} className="self-start text-quiet print:hidden" />
    </section>
  );
}
