import type { Tile } from "@tessera/sdk";
import { Disclosure } from "../text/disclosure.tsx";
import { kindNameOf, originNameOf } from "../text/kind-name.ts";
import { hostOf, webAddress } from "../text/links.ts";
import { OutLink } from "../text/out-link.tsx";
import type { Quote } from "../text/quote.ts";
import { ExternalIcon } from "../ui/marks/icons.tsx";
import { Changes } from "./changes.tsx";
import { ChatSwitch } from "./controls/chat-switch.tsx";
import { EditedNotice } from "./controls/edited-notice.tsx";
import { RefreshSchedule } from "./controls/refresh-schedule.tsx";
import { TextEditor } from "./edit/text-editor.tsx";
import { TileActions } from "./tile-actions.tsx";
import { TileFacts } from "./tile-facts.tsx";
import { TilePicture } from "./tile-picture.tsx";
import { TileState } from "./tile-state.tsx";
import { TileText } from "./text/tile-text.tsx";
import type { TileEdit } from "./edit/use-tile-edit.ts";

export type TileViewProps = {
  readonly tile: Tile;
  readonly quote: Quote | null;
  readonly edit: TileEdit;
  readonly onClose: () => void;
};

/** What a tile is, how it stands, what can be done with it, and its text. */
export function TileView({ tile, quote, edit, onClose }: TileViewProps) {
  const isEditing = edit.draft?.field === "content";
  const isLink = tile.sourceUrl !== null;
  return (
    <div className="flex flex-col gap-4">
      <TilePicture tile={tile} />
      <p className="-mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-quiet">
        <span>{originNameOf(tile.metadata.origin) ?? kindNameOf(tile.type)}</span>
        {webAddress(tile.sourceUrl) !== null && (
          <>
            <span aria-hidden="true">·</span>
            <OutLink href={tile.sourceUrl} className="inline-flex min-w-0 items-center gap-1">
              <span className="truncate">{hostOf(tile.sourceUrl ?? "")}</span>
              <ExternalIcon className="size-3.5" />
              <span className="sr-only">, opens the source in a new tab</span>
            </OutLink>
          </>
        )}
      </p>
      <TileActions tile={tile} edit={edit} onClose={onClose} />
      <TileState tile={tile} onPaste={() => edit.begin("content", "")} isPasting={isEditing} />
      {tile.textOverridden === true && tile.status === "ready" && <EditedNotice tile={tile} isEditing={edit.draft !== null} />}
      <ChatSwitch tile={tile} />
      <Disclosure title="Details">
        <div className="flex flex-col gap-4">
          <TileFacts tile={tile} />
          {isLink && <RefreshSchedule tile={tile} />}
        </div>
      </Disclosure>
      {tile.changes !== undefined && <Changes changes={tile.changes} />}
      {isEditing ? <TextEditor key={edit.fieldKey} edit={edit} isLink={isLink} /> : <TileText tile={tile} quote={quote} />}
    </div>
  );
}
