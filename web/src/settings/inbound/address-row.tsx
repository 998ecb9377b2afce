import type { InboundAddress } from "@tessera-board/sdk";
import { useZones } from "../../api/zones.ts";
import { Button } from "../../ui/controls/button.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { TagList } from "../../ui/tags/tag-chip.tsx";
import { RelativeTime } from "../../ui/time/relative-time.tsx";
import { Badge } from "../parts/badge.tsx";
import { ListItem } from "../parts/list.tsx";

type AddressRowProps = { readonly address: InboundAddress; readonly boardName: string; readonly onRevoke: () => void };

/** An inbound address. */
export function AddressRow({ address, boardName, onRevoke }: AddressRowProps) {
  const { name, boardId, zoneId, tags, signature, createdAt, lastUsedAt } = address;
  return (
    <ListItem
      title={name}
      badges={
        <>
          <Badge>
            {boardName}
            {zoneId !== null && <ZoneName boardId={boardId} zoneId={zoneId} />}
          </Badge>
          {signature !== null && <Badge tone="accent">Signed</Badge>}
        </>
      }
      details={
        <>
          <span title={formatDateTime(createdAt)}>
            Created <RelativeTime at={createdAt} />
          </span>
          {lastUsedAt === null ? (
            <span>Never used</span>
          ) : (
            <span title={formatDateTime(lastUsedAt)}>
              Last used <RelativeTime at={lastUsedAt} />
            </span>
          )}
        </>
      }
      actions={
        <Button aria-label={`Revoke ${name}…`} onClick={onRevoke}>
          Revoke…
        </Button>
      }
    >
      <TagList tags={tags} />
    </ListItem>
  );
}

function ZoneName({ boardId, zoneId }: { readonly boardId: string; readonly zoneId: string }) {
  const name = useZones(boardId).data?.find(({ id }) => id === zoneId)?.name;
  return name === undefined ? null : <> · {name}</>;
}
