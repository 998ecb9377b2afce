import type { Answer } from "@tessera-board/sdk";
import { useMemo } from "react";
import { useTiles } from "../../api/tiles/tiles.ts";
import { Disclosure } from "../../ui/controls/disclosure.tsx";
import type { OpenTile } from "../../text/quote.ts";

export type SourcesReadProps = {
  readonly answer: Answer;
  readonly boardId: string;
  readonly onOpenTile: OpenTile;
};

/** A collapsed list of the tiles that were read for an answer. */
export function SourcesRead({ answer, boardId, onOpenTile }: SourcesReadProps) {
  const { data: tiles } = useTiles(boardId);
  const sources = useMemo(() => {
    const titles = new Map<string, string>();
    for (const { id, title } of tiles ?? []) titles.set(id, title);
    for (const { tileId, title } of answer.citations) titles.set(tileId, title);
    const used = answer.explain?.candidates.filter((candidate) => candidate.used) ?? [];
    const ids = new Set([...answer.citations, ...used].map(({ tileId }) => tileId));
    return [...ids].map((id) => ({ id, title: titles.get(id) ?? "Deleted tile" }));
  }, [answer, tiles]);
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
          {sources.map(({ id, title }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => onOpenTile(id)}
                dir="auto"
                className="w-full truncate rounded-sm py-1 text-start text-accent hover:underline pointer-coarse:min-h-11"
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Disclosure>
  );
}
