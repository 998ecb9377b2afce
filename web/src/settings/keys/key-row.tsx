import type { ApiKey } from "@tessera/sdk";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { EditIcon, MoreIcon, TrashIcon } from "../../ui/marks/icons.tsx";
import { Menu, MenuItem } from "../../ui/floating/menu.tsx";
import { dateTimeOf } from "../../ui/time/times.ts";
import { Badge } from "../parts/badge.tsx";
import { Row } from "../parts/rows.tsx";
import { permissionName } from "./key-words.ts";
import { UsageBar } from "./usage-bar.tsx";
import { Ago } from "../../ui/time/ago.tsx";

/** One API key; without `onRevoke` one that no longer works. */
export function KeyRow({
  apiKey,
  boardName,
  onEdit,
  onRevoke,
}: {
  readonly apiKey: ApiKey;
  /** The board it is held to; null where it reaches all. */
  readonly boardName: string | null;
  readonly onEdit?: () => void;
  readonly onRevoke?: () => void;
}) {
  const { name, prefix, permission, expiresAt, lastUsedAt, revokedAt, budget, usage, createdAt } = apiKey;
  return (
    <Row
      title={name}
      badges={
        <>
          <Badge tone={permission === "write" ? "accent" : "plain"}>{permissionName(permission)}</Badge>
          <Badge>{boardName === null ? "All boards" : `Only ${boardName}`}</Badge>
          <StateBadge expiresAt={expiresAt} revokedAt={revokedAt} />
        </>
      }
      details={
        <>
          <code>{prefix}…</code>
          <span title={dateTimeOf(createdAt)}>
            Created <Ago at={createdAt} />
          </span>
          <span title={lastUsedAt === null ? undefined : dateTimeOf(lastUsedAt)}>
            {lastUsedAt === null ? (
              "Never used"
            ) : (
              <>
                Last used <Ago at={lastUsedAt} />
              </>
            )}
          </span>
          {revokedAt === null && <span>{expiresAt === null ? "Does not end" : `Ends ${dateTimeOf(expiresAt)}`}</span>}
        </>
      }
      actions={
        onEdit !== undefined &&
        onRevoke !== undefined && (
          <Menu
            trigger={
              <IconButton label={`More for ${name}`} hasTip={false}>
                <MoreIcon />
              </IconButton>
            }
          >
            <MenuItem icon={<EditIcon />} onSelect={onEdit}>
              Name and budget …
            </MenuItem>
            <MenuItem icon={<TrashIcon />} isDanger onSelect={onRevoke}>
              Revoke …
            </MenuItem>
          </Menu>
        )
      }
    >
      <UsageBar used={usage.inputTokens + usage.outputTokens} calls={usage.calls} budget={budget} />
    </Row>
  );
}

const WEEK = 7 * 86_400_000;

function StateBadge({ expiresAt, revokedAt }: Pick<ApiKey, "expiresAt" | "revokedAt">) {
  if (revokedAt !== null)
    return (
      <Badge tone="danger">
        Revoked <Ago at={revokedAt} />
      </Badge>
    );
  if (expiresAt === null) return null;
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0)
    return (
      <Badge tone="danger">
        Ended <Ago at={expiresAt} />
      </Badge>
    );
  return left < WEEK ? (
    <Badge tone="warn">
      Ends <Ago at={expiresAt} />
    </Badge>
  ) : null;
}
