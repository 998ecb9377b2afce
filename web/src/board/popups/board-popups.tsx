import { useZoneContext } from "../zone-context.ts";
import { CardMenu } from "./card-menu.tsx";
import { EmojiDialog } from "./emoji-dialog.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { PasteTextDialog } from "./paste-text-dialog.tsx";
import type { OpenPopup } from "./popup.ts";
import { TagsDialog } from "./tags-dialog.tsx";
import { ZoneMenu } from "./zone-menu.tsx";

/** The menus and dialogs of the board, loaded when the first one opens. */
export function BoardPopups({ popup, onClose }: { readonly popup: OpenPopup; readonly onClose: () => void }) {
  const { actions, open } = useZoneContext();
  switch (popup.kind) {
    case "card-menu":
      return <CardMenu tile={popup.tile} button={popup.button} onClose={onClose} />;
    case "zone-menu":
      return <ZoneMenu {...popup} onEmoji={() => open({ kind: "emoji", zone: popup.zone })} onClose={onClose} />;
    case "emoji":
      return (
        <EmojiDialog
          current={popup.zone.emoji}
          onClose={onClose}
          onChoose={(emoji) => {
            onClose();
            actions.patch(popup.zone, { emoji });
          }}
        />
      );
    case "move":
      return <MoveDialog ids={popup.ids} onClose={onClose} />;
    case "tags":
      return <TagsDialog ids={popup.ids} onClose={onClose} />;
    case "paste-text":
      return <PasteTextDialog key={popup.tile.id} tile={popup.tile} onClose={onClose} />;
  }
}
