import { useTiles } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ChatIcon } from "../../ui/icons/icons.tsx";
import { formatCount } from "../../text/plural.ts";

/** Shown before the first question: what to expect, or what is missing to get answers. */
export function AskIntro({ boardId }: { readonly boardId: string }) {
  const { data: tiles } = useTiles(boardId);
  const { data: zones } = useZones(boardId);
  const disconnected = new Set(zones?.filter(({ connectedToChat }) => !connectedToChat).map(({ id }) => id));
  const ready = tiles?.filter(({ status }) => status === "ready");
  const count =
    ready?.filter(({ zoneId, connectedToChat }) => connectedToChat !== false && (zoneId === null || !disconnected.has(zoneId))).length ?? 0;
  if (ready !== undefined && zones !== undefined && count === 0) {
    return (
      <EmptyState icon={<ChatIcon />} title="Nothing here feeds the chat yet">
        {ready.length === 0
          ? "Put a text or a link on the board first. Once its text is there, you can ask about it."
          : "Switch on “feeds chat” at a zone, or “Use in answers” in a tile, and they are read for answers."}
      </EmptyState>
    );
  }
  const read =
    count === 0
      ? "the tiles that feed the chat"
      : count === 1
        ? "the one tile that feeds the chat"
        : `the ${formatCount(count, "tile")} that feed the chat`;
  return (
    <EmptyState icon={<ChatIcon />} title="Ask this board">
      Answers come from {read}, and from nothing else. Each names the quotes it rests on: press a number to see one where it stands.
    </EmptyState>
  );
}
