import { getSyncState } from "../../api/tiles/tile-cache.ts";
import { useTiles } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ChatIcon } from "../../ui/icons/icons.ts";
import { formatCount } from "../../text/plural.ts";

/** Shown before the first question: what to expect, or what is missing to get answers. */
export function AskIntro({ boardId }: { readonly boardId: string }) {
  const { data: tiles } = useTiles(boardId);
  const { data: zones } = useZones(boardId);
  const disconnectedIds = new Set(zones?.filter(({ connectedToChat }) => !connectedToChat).map(({ id }) => id));
  const ready = tiles?.filter(({ status }) => status === "ready");
  const count =
    ready?.filter(({ zoneId, connectedToChat }) => connectedToChat !== false && (zoneId === null || !disconnectedIds.has(zoneId))).length ??
    0;
  const isWhole = getSyncState(tiles).loaded === null;
  if (isWhole && ready !== undefined && zones !== undefined && count === 0) {
    return (
      <EmptyState icon={<ChatIcon />} title="Nothing on this board is connected to chat yet">
        {ready.length === 0
          ? "Add a note or a link first. When its text is ready, you can ask about it."
          : "Turn on “Connected to chat” for a zone, or “Use in answers” in a tile."}
      </EmptyState>
    );
  }
  const read =
    count === 0 || !isWhole
      ? "the tiles connected to chat"
      : count === 1
        ? "the one tile connected to chat"
        : `the ${formatCount(count, "tile")} connected to chat`;
  return (
    <EmptyState icon={<ChatIcon />} title="Ask this board">
      Answers are based only on {read}, and show the quotes they rely on. Select a quote to open it in its tile.
    </EmptyState>
  );
}
