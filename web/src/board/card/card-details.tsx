import { Fragment } from "react";
import { getOriginName } from "../../text/kind-name.ts";
import { formatDuration } from "../../ui/time/format-time.ts";
import { getKind } from "../model/kinds.ts";
import type { BoardTile } from "../model/tile.ts";
import { Age } from "./age.tsx";
import { getSite } from "../model/format.ts";
import { formatCount } from "../../text/plural.ts";

/**
 * One line of metadata: kind or site, author or age, and length. It keeps its height while metadata is missing. `hidesLength`: the
 * thumbnail shows the length.
 */
export function CardDetails({ tile, hidesLength }: { readonly tile: BoardTile; readonly hidesLength: boolean }) {
  const { author, siteName, durationSeconds, wordCount } = tile.metadata ?? {};
  const site = siteName ?? getSite(tile.sourceUrl) ?? getOriginName(tile.metadata?.origin) ?? getKind(tile.type).name;
  const label = tile.type === "TEXT" && wordCount !== undefined ? formatCount(wordCount, "word") : undefined;
  const hasAge = author === undefined && label === undefined;
  const unused = tile.connectedToChat === false ? "not in answers" : undefined;
  const details = [site, author === site ? undefined : author, label, unused].filter((detail) => detail !== undefined && detail !== "");
  return (
    <p className="flex min-h-4.5 min-w-0 items-center gap-2 text-sm text-quiet">
      <span className="min-w-0 truncate">
        {details.map((detail, index) => (
          <Fragment key={detail}>
            {index > 0 && " · "}
            <bdi>{detail}</bdi>
          </Fragment>
        ))}
        {hasAge && <Age since={tile.createdAt} />}
      </span>
      {durationSeconds !== undefined && !hidesLength && (
        <span className="shrink-0 rounded-sm bg-hover px-1 text-xs tabular-nums">{formatDuration(durationSeconds)}</span>
      )}
    </p>
  );
}
