import { useId, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { type BoardContext, showLoadError, useBoard } from "../board-context.ts";
import { toColumnId, NO_ZONE } from "../model/tile.ts";
import { formatCount } from "../../text/plural.ts";
import { truncate } from "../model/format.ts";

/** Chooses the target zone, as an alternative to dragging. */
export function MoveDialog({ ids, onClose }: MoveDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title="Move to">
      <Choice ids={ids} onClose={onClose} />
    </Dialog>
  );
}

type MoveDialogProps = { readonly ids: readonly string[]; readonly onClose: () => void };

type Place = "top" | "end";

function Choice({ ids, onClose }: MoveDialogProps) {
  const board = useBoard();
  const [place, setPlace] = useState<Place>("top");
  const group = useId();
  const columns = board.columns();
  const chosen = new Set(ids);
  const moved = columns.flatMap(({ tiles }) => tiles).filter(({ id }) => chosen.has(id));
  const from = moved.length > 0 && moved.every((tile) => tile.zoneId === moved[0]?.zoneId) && moved[0] ? toColumnId(moved[0]) : null;
  const targets = [
    ...columns.flatMap(({ zone }) => (zone === null ? [] : [{ id: zone.id, name: zone.name, emoji: zone.emoji }])),
    { id: NO_ZONE, name: "No zone", emoji: null },
  ];

  return (
    <div className="flex flex-col gap-3">
      <p className="text-quiet">
        {moved.length === 1 ? (
          <>
            “<bdi>{truncate(moved[0]?.title ?? "")}</bdi>”
          </>
        ) : (
          formatCount(moved.length, "tile")
        )}
      </p>
      {board.isManualOrder() && (
        <fieldset className="flex gap-4">
          <legend className="sr-only">Position in the zone</legend>
          {(["top", "end"] as const).map((one) => (
            <label key={one} className="inline-flex items-center gap-2 text-sm pointer-coarse:min-h-11">
              <input type="radio" name={group} checked={place === one} onChange={() => setPlace(one)} className="size-4 accent-accent" />
              {one === "top" ? "Top" : "Bottom"}
            </label>
          ))}
        </fieldset>
      )}
      <ul className="flex flex-col gap-1">
        {targets.map(({ id, name, emoji }) => (
          <li key={id}>
            <Button className="w-full justify-start!" variant="quiet" onClick={() => move(id)}>
              <span aria-hidden="true" className="w-5 shrink-0 text-center">
                {emoji}
              </span>
              <bdi className="truncate">{name}</bdi>
              {id === from && <span className="ml-auto text-sm font-normal text-quiet">Current zone</span>}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );

  function move(columnId: string): void {
    if (place === "top") moveToTop(board, ids, columnId);
    else board.actions.move(ids, { columnId, beforeId: null });
    onClose();
    const [first] = moved;
    if (first !== undefined) board.focus.move({ tileId: first.id });
  }
}

/** Moves tiles before the first one of a column that stays, which may have to be loaded. */
function moveToTop(board: BoardContext, ids: readonly string[], columnId: string): void {
  const column = board.columns().find(({ id }) => id === columnId);
  const next = column?.tiles.find(({ id }) => !ids.includes(id));
  if (next !== undefined || column === undefined || column.loaded === "all")
    return board.actions.move(ids, { columnId, beforeId: next?.id ?? null });
  board.load(columnId, column.loaded === "nothing" ? "start" : "all").then(() => moveToTop(board, ids, columnId), showLoadError);
}
