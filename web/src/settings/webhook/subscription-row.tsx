import type { Subscription } from "@tessera-board/sdk";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { MoreIcon, RetryIcon, TrashIcon } from "../../ui/icons/icons.ts";
import { Menu, MenuItem } from "../../ui/floating/menu.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { RelativeTime } from "../../ui/time/relative-time.tsx";
import { Badge } from "../parts/badge.tsx";
import { ListItem } from "../parts/list.tsx";

type Props = {
  readonly subscription: Subscription;
  readonly onSetStatus: (status: "active" | "paused") => void;
  readonly onDelete: () => void;
};

/** A registered webhook with its owner, state and last delivery. */
export function SubscriptionRow({ subscription, onSetStatus, onDelete }: Props) {
  const { url, events, status, pausedReason, description } = subscription;
  const isPaused = status === "paused";
  return (
    <ListItem
      title={url}
      badges={<Badge tone={isPaused ? "warn" : "good"}>{isPaused ? "Paused" : "Active"}</Badge>}
      details={<Details subscription={subscription} />}
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
      {pausedReason !== null && <Notice kind="problem">{pausedReason}</Notice>}
    </ListItem>
  );
}

function Details({ subscription: { owner, boardId, lastDeliveryAt } }: { readonly subscription: Subscription }) {
  return (
    <>
      <span>{owner.kind === "key" ? `API key ${owner.name}` : owner.name}</span>
      <span>{boardId === null ? "All boards" : "One board"}</span>
      <span title={lastDeliveryAt === null ? undefined : formatDateTime(lastDeliveryAt)}>
        {lastDeliveryAt === null ? (
          "Nothing sent yet"
        ) : (
          <>
            Last delivery <RelativeTime at={lastDeliveryAt} />
          </>
        )}
      </span>
    </>
  );
}
