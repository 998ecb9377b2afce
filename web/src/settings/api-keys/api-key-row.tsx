import type { ApiKey } from "@tessera-board/sdk";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { EditIcon, MoreIcon, TrashIcon } from "../../ui/icons/icons.ts";
import { Menu, MenuItem } from "../../ui/floating/menu.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { Badge } from "../parts/badge.tsx";
import { ListItem } from "../parts/list.tsx";
import { getPermissionName } from "./format.ts";
import { UsageBar } from "./usage-bar.tsx";
import { RelativeTime } from "../../ui/time/relative-time.tsx";

/** An API key; inactive keys have no `onRevoke`. */
export function ApiKeyRow({
  apiKey,
  boardName,
  onEdit,
  onRevoke,
}: {
  readonly apiKey: ApiKey;
  /** The board the key is limited to; null for all boards. */
  readonly boardName: string | null;
  readonly onEdit?: () => void;
  readonly onRevoke?: () => void;
}) {
  const { name, permission, webhooks, expiresAt, revokedAt, budget, usage } = apiKey;
  return (
    <ListItem
      title={name}
      badges={
        <>
          <Badge tone={permission === "write" ? "accent" : "plain"}>{getPermissionName(permission)}</Badge>
          <Badge>{boardName === null ? "All boards" : `Only ${boardName}`}</Badge>
          {webhooks && <Badge>Registers webhooks</Badge>}
          <StateBadge expiresAt={expiresAt} revokedAt={revokedAt} />
        </>
      }
      details={<KeyDetails apiKey={apiKey} />}
      actions={onEdit !== undefined && onRevoke !== undefined && <KeyMenu name={name} onEdit={onEdit} onRevoke={onRevoke} />}
    >
      <UsageBar used={usage.inputTokens + usage.outputTokens} calls={usage.calls} budget={budget} />
    </ListItem>
  );
}

function KeyDetails({ apiKey }: { readonly apiKey: ApiKey }) {
  const { prefix, createdAt, lastUsedAt, revokedAt, expiresAt } = apiKey;
  return (
    <>
      <code>{prefix}…</code>
      <span title={formatDateTime(createdAt)}>
        Created <RelativeTime at={createdAt} />
      </span>
      <span title={lastUsedAt === null ? undefined : formatDateTime(lastUsedAt)}>
        {lastUsedAt === null ? (
          "Never used"
        ) : (
          <>
            Last used <RelativeTime at={lastUsedAt} />
          </>
        )}
      </span>
      {revokedAt === null && <span>{expiresAt === null ? "Does not expire" : `Expires ${formatDateTime(expiresAt)}`}</span>}
    </>
  );
}

type KeyMenuProps = { readonly name: string; readonly onEdit: () => void; readonly onRevoke: () => void };

function KeyMenu({ name, onEdit, onRevoke }: KeyMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${name}`} hasTooltip={false}>
          <MoreIcon />
        </IconButton>
      }
    >
      <MenuItem icon={<EditIcon />} onSelect={onEdit}>
        Edit…
      </MenuItem>
      <MenuItem icon={<TrashIcon />} isDanger onSelect={onRevoke}>
        Revoke…
      </MenuItem>
    </Menu>
  );
}

const WEEK_MS = 7 * 86_400_000;

function StateBadge({ expiresAt, revokedAt }: Pick<ApiKey, "expiresAt" | "revokedAt">) {
  if (revokedAt !== null)
    return (
      <Badge tone="danger">
        Revoked <RelativeTime at={revokedAt} />
      </Badge>
    );
  if (expiresAt === null) return null;
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0)
    return (
      <Badge tone="danger">
        Expired <RelativeTime at={expiresAt} />
      </Badge>
    );
  return left < WEEK_MS ? (
    <Badge tone="warn">
      Expires <RelativeTime at={expiresAt} />
    </Badge>
  ) : null;
}
