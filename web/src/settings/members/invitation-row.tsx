import type { Invitation } from "@tessera-board/sdk";
import { Button } from "../../ui/controls/button.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { Badge } from "../parts/badge.tsx";
import { ListItem } from "../parts/list.tsx";
import { getRoleName } from "./roles.ts";
import { RelativeTime } from "../../ui/time/relative-time.tsx";

/** An invitation that was not accepted yet. */
export function InvitationRow({
  invitation,
  invitedBy,
  onRevoke,
}: {
  readonly invitation: Invitation;
  /** The e-mail address of the inviting member; null if that member left. */
  readonly invitedBy: string | null;
  readonly onRevoke: () => void;
}) {
  const { email, role, createdAt, expiresAt } = invitation;
  return (
    <ListItem
      title={email}
      badges={<Badge>{getRoleName(role)}</Badge>}
      details={
        <>
          <span title={formatDateTime(createdAt)}>
            Invited <RelativeTime at={createdAt} />
            {invitedBy !== null && ` by ${invitedBy}`}
          </span>
          <span title={formatDateTime(expiresAt)}>
            {Date.parse(expiresAt) < Date.now() ? (
              "Expired"
            ) : (
              <>
                Expires <RelativeTime at={expiresAt} />
              </>
            )}
          </span>
        </>
      }
      actions={
        <Button size="sm" onClick={onRevoke} aria-label={`Revoke the invitation for ${email}`}>
          Revoke
        </Button>
      }
    />
  );
}
