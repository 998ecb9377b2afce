import type { GenerationSummary } from "@tessera-board/sdk";
import { useState } from "react";
import { useGenerations } from "../../api/generations.ts";
import { Button } from "../../ui/controls/button.tsx";
import { cn } from "../../ui/class-names.ts";
import { Spinner } from "../../ui/icons/spinner.tsx";
import { ASSET_NAMES } from "./generate-options.ts";
import { RelativeTime } from "../../ui/time/relative-time.tsx";

export type GenerationHistoryProps = {
  readonly boardId: string;
  /** The generation that is shown above. */
  readonly shownId: string | null;
  readonly onShow: (generationId: string) => void;
};

/** Rows shown before "Show more". */
const COLLAPSED_COUNT = 6;

/** Earlier generations of the board, newest first. */
export function GenerationHistory({ boardId, shownId, onShow }: GenerationHistoryProps) {
  const { data: generations = [] } = useGenerations(boardId);
  const [isExpanded, setExpanded] = useState(false);
  if (generations.length === 0) return null;
  return (
    <section aria-label="Earlier results" className="flex flex-col gap-2">
      <h3 className="text-sm font-medium text-quiet">Earlier results</h3>
      <ul className="flex flex-col gap-0.5">
        {(isExpanded ? generations : generations.slice(0, COLLAPSED_COUNT)).map((generation) => (
          <li key={generation.id}>
            <button
              type="button"
              aria-current={generation.id === shownId || undefined}
              onClick={() => onShow(generation.id)}
              className={cn(
                "flex min-h-9 w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-hover pointer-coarse:min-h-11",
                generation.id === shownId && "bg-accent-soft",
              )}
            >
              {generation.status === "processing" && <Spinner />}
              <span dir="auto" className="min-w-0 flex-1 truncate text-start">
                {describeGeneration(generation)}
              </span>
              <span className="shrink-0 text-xs text-quiet">
                <RelativeTime at={generation.createdAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!isExpanded && generations.length > COLLAPSED_COUNT && (
        <Button size="sm" variant="quiet" className="self-start" onClick={() => setExpanded(true)}>
          Show {generations.length - COLLAPSED_COUNT} more
        </Button>
      )}
    </section>
  );
}

const STATUS_NAMES: Readonly<Record<string, string>> = { processing: "in progress", failed: "failed", cancelled: "cancelled" };

function describeGeneration({ endpoint, assetType, status, title }: GenerationSummary): string {
  const kind =
    endpoint === "/api/v1/idea"
      ? "Ideas"
      : assetType === undefined
        ? "Draft"
        : ((ASSET_NAMES as Readonly<Record<string, string>>)[assetType] ?? "Draft");
  const end = STATUS_NAMES[status];
  return [kind, end === undefined ? title : end].filter(Boolean).join(": ");
}
