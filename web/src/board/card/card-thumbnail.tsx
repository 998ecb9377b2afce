import { cn } from "../../ui/class-names.ts";
import { LazyImage } from "../../ui/images/lazy-image.tsx";
import { formatDuration } from "../../ui/time/format-time.ts";
import { getKind } from "../model/kinds.ts";
import type { BoardTile } from "../model/tile.ts";
import { KindIcon } from "../../ui/icons/kind-icon.tsx";

/**
 * The thumbnail on a card. A video's is above the title in columns of normal width; all others are small at the side, or beside the
 * details on touch screens. Its size is fixed before it loads.
 */
export function CardThumbnail({ tile, address }: { readonly tile: BoardTile; readonly address: string }) {
  const isVideo = isVideoTile(tile);
  const { durationSeconds } = tile.metadata ?? {};
  return (
    <LazyImage
      address={address}
      fallback={<KindIcon type={tile.type} />}
      className={cn(
        "col-start-2 row-span-2 row-start-1 self-start rounded-md",
        "pointer-coarse:row-span-1 pointer-coarse:row-start-2 pointer-coarse:mr-2",
        isVideo
          ? cn(
              "size-14 pointer-coarse:aspect-video pointer-coarse:h-auto pointer-coarse:w-20",
              "@min-[25rem]/cards:aspect-video @min-[25rem]/cards:h-auto @min-[25rem]/cards:w-28",
              "above:col-span-2 above:col-start-1 above:row-span-1 above:row-start-1 above:aspect-video above:h-auto above:w-auto above:self-auto",
              "above:-mt-2 above:-mr-2.5 above:mb-2 above:-ml-3 above:rounded-t-[0.4375rem] above:rounded-b-none above:pointer-coarse:-mr-0.5",
            )
          : "size-14 pointer-coarse:size-11",
      )}
    >
      {isVideo && durationSeconds !== undefined && (
        <span className="absolute right-0.5 bottom-0.5 rounded-sm bg-black/80 px-1 text-xs text-white tabular-nums above:right-1 above:bottom-1">
          {formatDuration(durationSeconds)}
        </span>
      )}
    </LazyImage>
  );
}

export const isVideoTile = ({ type }: Pick<BoardTile, "type">): boolean => getKind(type).group === "video";
