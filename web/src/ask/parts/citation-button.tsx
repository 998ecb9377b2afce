import type { Citation } from "@tessera-board/sdk";
import { Tooltip } from "../../ui/controls/tooltip.tsx";
import { type OpenTile, toQuote } from "../../text/quote.ts";

export type CitationButtonProps = {
  readonly number: number;
  readonly citation: Citation;
  readonly onOpenTile: OpenTile;
};

/** The number of a citation; opens the tile at the quote. */
export function CitationButton({ number, citation, onOpenTile }: CitationButtonProps) {
  const { tileId, title } = citation;
  const button = (
    <button
      type="button"
      aria-label={`Quote ${number}: ${title}`}
      onClick={() => onOpenTile(tileId, toQuote(citation))}
      className="mx-0.5 inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent-soft px-1.5 align-[1px] text-xs font-semibold text-accent tabular-nums hover:bg-accent hover:text-accent-ink pointer-coarse:h-7 pointer-coarse:min-w-7"
    >
      {number}
    </button>
  );
  return <Tooltip label={title} render={button} />;
}
