import type { TileSummary, ZoneSummary } from "@tessera-board/sdk";
import { useId } from "react";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { CloseIcon } from "../../ui/icons/icons.ts";
import { SegmentedControl } from "./segmented-control.tsx";
import { type Source, getSkipReason } from "./source.ts";

export type SourceFieldProps = {
  readonly source: Source;
  readonly onChange: (next: Partial<Source>) => void;
  readonly zones: readonly ZoneSummary[];
  readonly tiles: readonly TileSummary[];
  readonly error: string | null;
};

const SOURCE_OPTIONS = [
  ["board", "Whole board"],
  ["zones", "Some zones"],
  ["tiles", "Selected tiles"],
] as const;

/** Chooses the content to generate from: all connected content, some zones, or the tiles selected on the board. */
export function SourceField({ source, onChange, zones, tiles, error }: SourceFieldProps) {
  const errorId = useId();
  return (
    <SegmentedControl
      legend="Generate from"
      name="source"
      options={SOURCE_OPTIONS}
      value={source.from}
      onChange={(from) => onChange({ from })}
      errorId={error === null ? undefined : errorId}
    >
      {source.from === "zones" && <ZoneBoxes zones={zones} chosen={source.zoneIds} onChange={(zoneIds) => onChange({ zoneIds })} />}
      {source.from === "tiles" && (
        <TileChips zones={zones} tiles={tiles} chosen={source.tileIds} onChange={(tileIds) => onChange({ tileIds })} />
      )}
      {error !== null && (
        <p id={errorId} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </SegmentedControl>
  );
}

type ChosenProps = {
  readonly zones: readonly ZoneSummary[];
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
};

const BOX = "max-h-44 overflow-y-auto rounded-md border border-line bg-surface";

function ZoneBoxes({ zones, chosen, onChange }: ChosenProps) {
  if (zones.length === 0) return <p className="text-sm text-quiet">This board has no zones yet.</p>;
  return (
    <ul aria-label="Zones" className={`flex flex-col p-1 ${BOX}`}>
      {zones.map(({ id, name, emoji, connectedToChat }) => (
        <li key={id}>
          <label className="flex min-h-8 items-center gap-2 rounded-sm px-2 text-sm hover:bg-hover has-disabled:text-quiet has-disabled:hover:bg-transparent pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={chosen.includes(id)}
              disabled={!connectedToChat}
              onChange={(event) => onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
            <span className="min-w-0 truncate">
              {emoji} <bdi>{name}</bdi>
            </span>
            {!connectedToChat && <span className="ml-auto shrink-0 text-xs">Not connected to chat</span>}
          </label>
        </li>
      ))}
    </ul>
  );
}

function TileChips({ zones, tiles, chosen, onChange }: ChosenProps & { readonly tiles: readonly TileSummary[] }) {
  const tilesById = new Map(tiles.map((tile) => [tile.id, tile]));
  if (chosen.length === 0) return <p className="text-sm text-quiet">Select tiles on the board, then choose “Generate…”.</p>;
  return (
    <ul aria-label="Selected tiles" className={`flex flex-wrap gap-1.5 p-2 ${BOX}`}>
      {chosen.map((id) => {
        const tile = tilesById.get(id);
        const reason = tile === undefined ? null : getSkipReason(tile, zones);
        return (
          <li
            key={id}
            className="flex max-w-full min-w-0 items-center gap-1 rounded-md border border-line bg-raised py-0.5 pr-0.5 pl-2 text-sm"
          >
            <bdi className="min-w-0 truncate">{tile?.title}</bdi>
            {reason !== null && <span className="shrink-0 text-xs text-quiet">{reason}</span>}
            <IconButton
              label={`Remove ${tile?.title ?? "this tile"}`}
              hasTooltip={false}
              size="sm"
              onClick={({ currentTarget }) => {
                focusNextChip(currentTarget);
                onChange(chosen.filter((one) => one !== id));
              }}
            >
              <CloseIcon />
            </IconButton>
          </li>
        );
      })}
    </ul>
  );
}

/** Moves the focus to the next chip, or to the control above, before a chip is removed. */
function focusNextChip(button: HTMLElement): void {
  const chip = button.closest("li");
  const next = (chip?.nextElementSibling ?? chip?.previousElementSibling)?.querySelector("button");
  (next ?? button.closest("fieldset")?.querySelector<HTMLElement>("input:checked"))?.focus();
}
