import type { Invitation } from "@tessera/sdk";
import { Button } from "../../ui/controls/button.tsx";
import { dateTimeOf } from "../../ui/time/times.ts";
import { Badge } from "../parts/badge.tsx";
import { Row } from "../parts/rows.tsx";
import { roleName } from "./role-words.ts";
import { Ago } from "../../ui/time/ago.tsx";

/** An invitation that was not used yet. */
export function InvitationRow({
  invitation,
  invitedBy,
  onWithdraw,
}: {
  readonly invitation: Invitation;
  /** The e-mail address of who invited; null where that is not a member any more. */
  readonly invitedBy: string | null;
  readonly onWithdraw: () => void;
}) {
  const { email, role, createdAt, expiresAt } = invitation;
  return (
    <Row
      title={email}
      badges={<Badge>{roleName(role)}</Badge>}
      details={
        <>
          <span title={dateTimeOf(createdAt)}>
            Invited <Ago at={createdAt} />
            {invitedBy !== null && ` by ${invitedBy}`}
          </span>
          <span title={dateTimeOf(expiresAt)}>
            {Date.parse(expiresAt) < Date.now() ? (
              "Expired"
            ) : (
              <>
                Expires <Ago at={expiresAt} />
              </>
            )}
          </span>
        </>
      }
      actions={
        <Button size="sm" onClick={onWithdraw} aria-label={`Withdraw the invitation of ${email}`}>
          Withdraw
        </Button>
      }
    />
  );
}
