import type { Subscription } from "@tessera-board/sdk";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { MoreIcon, RetryIcon, TrashIcon } from "../../ui/icons/icons.ts";
import { Menu, MenuItem } from "../../ui/floating/menu.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { RelativeTime } from "../../ui/time/relative-time.tsx";
import { TagList } from "../../ui/tags/tag-chip.tsx";
import { getKindName } from "../../text/kind-name.ts";
import { formatCount } from "../../text/plural.ts";
import { Badge } from "../parts/badge.tsx";
import { ListItem } from "../parts/list.tsx";

type Props = {
  readonly subscription: Subscription;
  /** The board whose events it gets; null for all boards. */
  readonly boardName: string | null;
  readonly onSetStatus: (status: "active" | "paused") => void;
  readonly onDelete: () => void;
};

/** A registered webhook with its owner, state and last delivery. */
export function SubscriptionRow({ subscription, boardName, onSetStatus, onDelete }: Props) {
  const { url, events, tags, status, pausedReason, description } = subscription;
  const isPaused = status === "paused";
  return (
    <ListItem
      title={url}
      badges={<StateBadge subscription={subscription} />}
      details={<Details subscription={subscription} boardName={boardName} />}
      actions={
        <Menu
          trigger={
            <IconButton label={`Actions for ${url}`} hasTooltip={false}>
              <MoreIcon />
            </IconButton>
          }
        >
          <MenuItem icon={<RetryIcon />} onSelect={() => onSetStatus(isPaused ? "active" : "paused")}>
            {isPaused ? "Resume" : "Pause"}
          </MenuItem>
          <MenuItem icon={<TrashIcon />} isDanger onSelect={onDelete}>
            Delete…
          </MenuItem>
        </Menu>
      }
    >
      {description !== null && <p className="text-sm">{description}</p>}
      <p className="text-sm">
        <code className="break-words">{events.join(", ")}</code>
      </p>
      <TagList tags={tags} />
      {pausedReason !== null && <Notice kind="problem">{pausedReason}</Notice>}
    </ListItem>
  );
}

function StateBadge({ subscription: { status, failingSince } }: Pick<Props, "subscription">) {
  if (status === "paused") return <Badge tone="warn">Paused</Badge>;
  return failingSince === null ? <Badge tone="good">Active</Badge> : <Badge tone="danger">Failing</Badge>;
}

function Details({ subscription, boardName }: Pick<Props, "subscription" | "boardName">) {
  const { owner, zoneIds, types, properties, status, failingSince, lastDeliveryAt } = subscription;
  return (
    <>
      <bdi>{owner.kind === "key" ? `API key ${owner.name}` : owner.name}</bdi>
      <bdi>{boardName === null ? "All boards" : `Only ${boardName}`}</bdi>
      {zoneIds.length > 0 && <span>{formatCount(zoneIds.length, "zone")}</span>}
      {types.length > 0 && <span>{types.map(getKindName).join(", ")}</span>}
      {Object.entries(properties).map(([key, values]) => (
        <bdi key={key}>{`${key}: ${values.join(" or ")}`}</bdi>
      ))}
      <span title={lastDeliveryAt === null ? undefined : formatDateTime(lastDeliveryAt)}>
        {lastDeliveryAt === null ? (
          "Nothing sent yet"
        ) : (
          <>
            Last delivery <RelativeTime at={lastDeliveryAt} />
          </>
        )}
      </span>
      {status === "active" && failingSince !== null && (
        <span title={formatDateTime(failingSince)}>
          All attempts fail since <RelativeTime at={failingSince} />
        </span>
      )}
    </>
  );
}
