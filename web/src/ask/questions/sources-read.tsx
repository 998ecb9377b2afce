import type { Answer } from "@tessera-board/sdk";
import { useMemo } from "react";
import { Disclosure } from "../../ui/controls/disclosure.tsx";
import { TileTitle } from "../parts/tile-title.tsx";
import type { OpenTile } from "../../text/quote.ts";

export type SourcesReadProps = {
  readonly answer: Answer;
  readonly boardId: string;
  readonly onOpenTile: OpenTile;
};

/** A collapsed list of the tiles that were read for an answer. */
export function SourcesRead({ answer, boardId, onOpenTile }: SourcesReadProps) {
  const sources = useMemo(() => {
    const titles = new Map<string, string | null>(answer.citations.map(({ tileId, title }) => [tileId, title]));
    for (const { tileId, used } of answer.explain?.candidates ?? []) if (used && !titles.has(tileId)) titles.set(tileId, null);
    return [...titles];
  }, [answer]);
  if (sources.length === 0) return null;
  return (
    <Disclosure title="Tiles used" note={String(sources.length)}>
      <div className="flex flex-col gap-2 text-sm">
        {answer.mode === "model" && (
          <p className="text-quiet">
            If the whole board fits into the context, the model reads all of it. These tiles match the question best.
          </p>
        )}
        <ul className="flex flex-col">
          {sources.map(([id, title]) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => onOpenTile(id)}
                dir="auto"
                className="w-full truncate rounded-sm py-1 text-start text-accent hover:underline pointer-coarse:min-h-11"
              >
                {title ?? <TileTitle boardId={boardId} tileId={id} />}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Disclosure>
  );
}
