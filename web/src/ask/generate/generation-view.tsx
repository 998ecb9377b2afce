import type { Generation } from "@tessera-board/sdk";
import { useCancelGeneration, useGeneration } from "../../api/generations.ts";
import { MarkdownText } from "../../text/prose/markdown-text.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { Spinner } from "../../ui/icons/spinner.tsx";
import { formatGeneration, formatSavedGeneration } from "../parts/answer-markdown.ts";
import type { OpenTile } from "../../text/quote.ts";
import { CitationList } from "../parts/citation-list.tsx";
import { useElapsedSeconds } from "../../ui/time/elapsed-time.tsx";
import { formatDuration } from "../../ui/time/format-time.ts";
import { IdeaList } from "./idea-list.tsx";
import { GenerationSources } from "./generation-sources.tsx";
import type { ChosenIdea } from "./generate-options.ts";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { SaveAsTile } from "../parts/save-as-tile.tsx";
import { toProblem } from "../questions/use-conversation.ts";
import { formatCount } from "../../text/plural.ts";

export type GenerationViewProps = {
  readonly generationId: string;
  readonly boardId: string;
  readonly onOpenTile: OpenTile;
  readonly onUseIdea: (idea: ChosenIdea) => void;
};

/** One generation: its progress, its error or its result. */
export function GenerationView({ generationId, boardId, onOpenTile, onUseIdea }: GenerationViewProps) {
  const { data: generation, error } = useGeneration(generationId);
  const cancel = useCancelGeneration();
  if (generation === undefined) return error === null ? <Spinner label="Loading" /> : <ProblemNotice problem={toProblem(error)} />;
  const { status, ideas, output, notice, citations = [] } = generation;
  if (status === "processing") {
    return (
      <Notice className="flex flex-wrap items-center gap-3">
        <span role="status" className="flex min-w-0 flex-1 items-center gap-2">
          <Spinner /> {ideas === undefined ? "Writing…" : "Generating ideas…"}
          <Stopwatch since={generation.createdAt} />
        </span>
        <Button size="sm" isBusy={cancel.isPending} onClick={() => cancel.mutate(generationId)}>
          Cancel
        </Button>
      </Notice>
    );
  }
  if (status === "failed")
    return <Notice kind="problem">{generation.error?.message ?? "The generation failed."} Your input is kept in the form.</Notice>;
  if (status === "cancelled") return <Notice>Generation cancelled.</Notice>;
  return (
    <section aria-label="Result" className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      {notice !== undefined && <Notice>{notice}</Notice>}
      <GenerationSources generation={generation} onOpenTile={onOpenTile} />
      {output != null && <DraftText generation={generation} />}
      {ideas != null && <IdeaList ideas={ideas} onOpenTile={onOpenTile} onUseIdea={onUseIdea} />}
      <div className="flex flex-wrap gap-2">
        <CopyButton text={formatGeneration(generation)} />
        {generation.savedTileId === undefined ? (
          <SaveAsTile
            boardId={boardId}
            title={getTitle(generation)}
            content={formatSavedGeneration(generation)}
            origin="generation"
            onOpenTile={onOpenTile}
          />
        ) : (
          <Button size="sm" variant="primary" onClick={() => onOpenTile(generation.savedTileId ?? "")}>
            Open saved tile
          </Button>
        )}
      </div>
      {ideas == null && <CitationList citations={citations} onOpenTile={onOpenTile} label="Quotes" level={3} />}
      <p className="text-xs text-quiet">
        {generation.mode === "model"
          ? "Written by the language model · "
          : notice === undefined && "Extracted from the board without a language model · "}
        {formatCount(generation.contextTokens, "token")} read
      </p>
    </section>
  );
}

const getTitle = ({ output, ideas }: Generation): string => output?.title ?? `Ideas: ${ideas?.[0]?.title ?? ""}`;

function DraftText({ generation: { output } }: { readonly generation: Generation }) {
  if (output == null) return null;
  // The text begins with its own title.
  return (
    <div className="prose-small">
      <MarkdownText text={output.text} />
    </div>
  );
}

/** The time since the generation started, as a running clock. */
function Stopwatch({ since }: { readonly since: string }) {
  return (
    <span aria-hidden="true" className="text-quiet tabular-nums">
      {formatDuration(useElapsedSeconds(since))}
    </span>
  );
}
