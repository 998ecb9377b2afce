import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useGeneration } from "../../api/generations.ts";
import { generationsKey, tilesKey } from "../../api/query-keys.ts";
import type { OpenTile } from "../../text/quote.ts";
import { GenerationView } from "./generation-view.tsx";
import { GenerationHistory } from "./generation-history.tsx";
import { GenerateForm } from "./generate-form.tsx";
import type { ChosenIdea } from "./generate-options.ts";

type GenerateViewProps = {
  readonly boardId: string;
  /** The tiles selected on the board; null without a selection. */
  readonly chosen: readonly string[] | null;
  readonly onOpenTile: OpenTile;
};

/** The Generate tab: the form, the current result and earlier results. */
export function GenerateView({ boardId, chosen, onOpenTile }: GenerateViewProps) {
  const client = useQueryClient();
  const [generationId, setGenerationId] = useState<string | null>(null);
  const [idea, setIdea] = useState<ChosenIdea | null>(null);
  const { data: generation } = useGeneration(generationId);
  const top = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLDivElement>(null);
  const status = generation?.status;

  // A finished generation appears in the history, and its saved tile on the board.
  useEffect(() => {
    if (status === undefined || status === "processing") return;
    void client.invalidateQueries({ queryKey: generationsKey(boardId) });
    void client.invalidateQueries({ queryKey: tilesKey(boardId) });
  }, [client, boardId, status]);
  useEffect(() => {
    result.current?.scrollIntoView({ block: "nearest" });
  }, [generationId, status]);

  return (
    <div ref={top} className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto px-4 py-4">
      <GenerateForm
        boardId={boardId}
        chosen={chosen}
        idea={idea}
        onDropIdea={() => setIdea(null)}
        onStarted={setGenerationId}
        isGenerating={status === "processing"}
      />
      {generationId !== null && (
        <div ref={result} className="scroll-m-4">
          <GenerationView
            generationId={generationId}
            boardId={boardId}
            onOpenTile={onOpenTile}
            onUseIdea={(chosen) => {
              setIdea(chosen);
              top.current?.scrollTo({ top: 0 });
              top.current?.querySelector("select")?.focus();
            }}
          />
        </div>
      )}
      <GenerationHistory boardId={boardId} shownId={generationId} onShow={setGenerationId} />
    </div>
  );
}
