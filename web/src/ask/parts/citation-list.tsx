import type { Citation } from "@tessera-board/sdk";
import { getUrlAtTime } from "../../text/links.ts";
import { ExternalLink } from "../../text/external-link.tsx";
import { Snippet } from "../../text/snippet-text.tsx";
import { formatDuration } from "../../ui/time/format-time.ts";
import { type OpenTile, toQuote } from "../../text/quote.ts";

export type CitationListProps = {
  readonly citations: readonly Citation[];
  readonly onOpenTile: OpenTile;
  readonly label: string;
  /** Heading level. */
  readonly level?: 3 | 4;
};

/** More than three lines, in UTF-16 code units; the sentence that answers is near its start. */
const MAX_SHOWN_LENGTH = 300;

/** The numbered quotes of an answer or draft; each opens its tile at the quote. */
export function CitationList({ citations, onOpenTile, label, level = 4 }: CitationListProps) {
  if (citations.length === 0) return null;
  const Heading = `h${level}` as const;
  return (
    <section className="flex flex-col gap-2">
      <Heading className="text-sm font-medium text-quiet">{label}</Heading>
      <ol className="flex flex-col gap-2">
        {citations.map((citation, index) => (
          <li key={`${citation.tileId}-${citation.start}`}>
            <CitationCard number={index + 1} citation={citation} onOpenTile={onOpenTile} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function CitationCard({
  number,
  citation,
  onOpenTile,
}: {
  readonly number: number;
  readonly citation: Citation;
  readonly onOpenTile: OpenTile;
}) {
  const { tileId, title, quote, seconds, sourceUrl, highlights = [] } = citation;
  const address = seconds === undefined ? null : getUrlAtTime(sourceUrl, seconds);
  return (
    <div className="rounded-md border border-line bg-surface hover:border-edge">
      <button
        type="button"
        className="flex w-full flex-col gap-1 rounded-md px-3 py-2 text-left"
        onClick={() => onOpenTile(tileId, toQuote(citation))}
      >
        <span className="flex w-full items-baseline gap-2 text-sm">
          <span className="inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-accent-soft px-1 text-xs font-semibold text-accent tabular-nums">
            {number}
          </span>
          <bdi className="min-w-0 truncate font-medium">{title}</bdi>
        </span>
        <Snippet
          quote={quote}
          highlights={highlights}
          maxLength={MAX_SHOWN_LENGTH}
          className="line-clamp-3 w-full text-start text-sm text-quiet wrap-anywhere before:content-['“'] after:content-['”']"
        />
      </button>
      {seconds !== undefined && (
        <p className="px-3 pb-2 text-sm text-quiet">
          {address === null ? (
            `At ${formatDuration(seconds)}`
          ) : (
            <ExternalLink href={address}>Open at {formatDuration(seconds)}</ExternalLink>
          )}
        </p>
      )}
    </div>
  );
}
