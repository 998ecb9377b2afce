import type { Tile } from "@tessera-board/sdk";
import type { TileHistory } from "../api/tiles/tile-history.ts";
import { Disclosure } from "../ui/controls/disclosure.tsx";
import { getKindName, getOriginName } from "../text/kind-name.ts";
import { getHost, getSafeUrl } from "../text/links.ts";
import { ExternalLink } from "../text/external-link.tsx";
import type { Quote } from "../text/quote.ts";
import { ExternalIcon } from "../ui/icons/icons.ts";
import { TextChanges } from "./text-changes.tsx";
import { ChatSwitch } from "./controls/chat-switch.tsx";
import { EditedNotice } from "./controls/edited-notice.tsx";
import { RefreshSchedule } from "./controls/refresh-schedule.tsx";
import { TileTags } from "./controls/tile-tags.tsx";
import { TextEditor } from "./edit/text-editor.tsx";
import { TileActions } from "./tile-actions.tsx";
import { TileDetails, TileProperties } from "./tile-details.tsx";
import { TileThumbnail } from "./tile-thumbnail.tsx";
import { TileNotices } from "./tile-notices.tsx";
import { TileText } from "./text/tile-text.tsx";
import type { TileEdit } from "./edit/use-tile-edit.ts";

export type TileViewProps = {
  readonly tile: Tile;
  readonly quote: Quote | null;
  readonly edit: TileEdit;
  readonly history: TileHistory;
  readonly onTag: (tag: string) => void;
  readonly onClose: () => void;
};

/** A tile's kind, status, actions, metadata and text. */
export function TileView({ tile, quote, edit, history, onTag, onClose }: TileViewProps) {
  const isEditing = edit.draft?.field === "content";
  // The address of a text only says where it came from.
  const isLink = tile.sourceUrl !== null && tile.type !== "TEXT";
  return (
    <div className="flex flex-col gap-4">
      <TileThumbnail tile={tile} />
      <p className="-mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-quiet">
        <span>{getOriginName(tile.metadata.origin) ?? getKindName(tile.type)}</span>
        {getSafeUrl(tile.sourceUrl) !== null && (
          <>
            <span aria-hidden="true">·</span>
            <ExternalLink href={tile.sourceUrl} className="inline-flex min-w-0 items-center gap-1">
              <span className="truncate">{getHost(tile.sourceUrl ?? "")}</span>
              <ExternalIcon />
              <span className="sr-only">, opens the source in a new tab</span>
            </ExternalLink>
          </>
        )}
      </p>
      <TileTags
        tile={tile}
        history={history}
        onTag={(tag) => {
          onTag(tag);
          onClose();
        }}
      />
      <TileActions tile={tile} edit={edit} history={history} onClose={onClose} />
      <TileNotices tile={tile} onPaste={() => edit.begin("content", "")} isPasting={isEditing} />
      {tile.textOverridden === true && tile.status === "ready" && <EditedNotice tile={tile} isEditing={edit.draft !== null} />}
      <ChatSwitch tile={tile} history={history} />
      <Disclosure title="Details">
        <div className="flex flex-col gap-4">
          <TileDetails tile={tile} />
          <TileProperties properties={tile.properties} />
          {isLink && <RefreshSchedule tile={tile} />}
        </div>
      </Disclosure>
      {tile.changes !== undefined && <TextChanges changes={tile.changes} />}
      {isEditing ? <TextEditor key={edit.fieldKey} edit={edit} isLink={isLink} /> : <TileText tile={tile} quote={quote} />}
    </div>
  );
}
