import type { Tile } from "@tessera-board/sdk";
import { getErrorMessage } from "../../api/client/client.ts";
import { useUpdateTile } from "../../api/tiles/tiles.ts";
import { Select } from "../../ui/controls/text-field.tsx";
import { formatCount } from "../../text/plural.ts";

/** Offered intervals in minutes; the server accepts 15 to 43,200. */
const INTERVALS_MIN = [15, 60, 360, 1_440, 10_080, 43_200];

/** The refresh interval of a link. A link whose text was edited is not refreshed, so its interval cannot be changed. */
export function RefreshSchedule({ tile }: { readonly tile: Tile }) {
  return (
    <div className="print:hidden">
      {tile.textOverridden === true ? <PausedSchedule minutes={tile.refreshMinutes} /> : <ScheduleChoice tile={tile} />}
    </div>
  );
}

function PausedSchedule({ minutes }: { readonly minutes: number | undefined }) {
  return (
    <p className="text-sm text-quiet">
      The link is not refreshed automatically, because its text was edited.
      {minutes !== undefined && ` Its schedule, every ${formatInterval(minutes)}, resumes after a refresh from the link.`}
    </p>
  );
}

function ScheduleChoice({ tile }: { readonly tile: Tile }) {
  const update = useUpdateTile();
  const current = tile.refreshMinutes ?? 0;
  const offered =
    current === 0 || INTERVALS_MIN.includes(current) ? INTERVALS_MIN : [...INTERVALS_MIN, current].toSorted((one, other) => one - other);
  const choose = (minutes: number): void => {
    update.mutate({ tileId: tile.id, patch: { refreshMinutes: minutes === 0 ? null : minutes } });
  };
  const description = current === 0 ? "Refreshed only on request." : `Refreshed every ${formatInterval(current)}. Changes are shown below.`;
  return (
    <Select
      label="Refresh automatically"
      value={update.isPending ? (update.variables.patch.refreshMinutes ?? 0) : current}
      disabled={update.isPending}
      hint={update.isSuccess ? `Saved. ${description}` : description}
      error={update.isError ? getErrorMessage(update.error) : null}
      onChange={(event) => choose(Number(event.target.value))}
    >
      <option value={0}>Never</option>
      {offered.map((minutes) => (
        <option key={minutes} value={minutes}>
          Every {formatInterval(minutes)}
        </option>
      ))}
    </Select>
  );
}

/** The interval after "every": `15 minutes`, `hour`, `6 hours`, `day`. */
function formatInterval(minutes: number): string {
  const [count, unit] =
    minutes % 1_440 === 0 ? [minutes / 1_440, "day"] : minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return count === 1 ? unit : formatCount(count, unit);
}
