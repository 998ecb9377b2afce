import type { Idea } from "@tessera-board/sdk";
import { stripMarkdown } from "../../text/strip-markdown.ts";
import { Button } from "../../ui/controls/button.tsx";
import { SparkleIcon } from "../../ui/icons/icons.ts";
import type { OpenTile } from "../../text/quote.ts";
import { CitationButton } from "../parts/citation-button.tsx";
import type { ChosenIdea } from "./generate-options.ts";

export type IdeaListProps = {
  readonly ideas: readonly Idea[];
  readonly onOpenTile: OpenTile;
  readonly onUseIdea: (idea: ChosenIdea) => void;
};

/** Ideas with their citations; a draft can be written from each. */
export function IdeaList({ ideas, onOpenTile, onUseIdea }: IdeaListProps) {
  if (ideas.length === 0) return <p className="text-quiet">The board does not have enough content for ideas.</p>;
  return (
    <ol className="flex flex-col divide-y divide-line">
      {ideas.map((idea) => (
        <li key={idea.id} className="flex flex-col gap-1.5 py-3 first:pt-0 last:pb-0">
          <h3 dir="auto" className="font-semibold wrap-anywhere">
            {idea.title}
          </h3>
          <p dir="auto" className="wrap-anywhere">
            {stripMarkdown(idea.hook)}{" "}
            {idea.citations.map((citation, index) => (
              <CitationButton key={`${citation.tileId}-${citation.start}`} number={index + 1} citation={citation} onOpenTile={onOpenTile} />
            ))}
          </p>
          {idea.angle !== "" && (
            <p dir="auto" className="text-sm text-quiet wrap-anywhere">
              {idea.angle}
            </p>
          )}
          {idea.rationale !== "" && (
            <p dir="auto" className="text-sm text-quiet wrap-anywhere">
              {idea.rationale}
            </p>
          )}
          <Button size="sm" className="mt-1 self-start" onClick={() => onUseIdea(idea)}>
            <SparkleIcon /> Write a draft
          </Button>
        </li>
      ))}
    </ol>
  );
}
