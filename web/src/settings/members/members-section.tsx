import type { Invitation, Member } from "@tessera-board/sdk";
import { useState } from "react";
import { useInvitations, useMembers } from "../../api/people.ts";
import { useMember } from "../../api/session.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { List } from "../parts/list.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { type Secret, SecretDialog } from "../parts/secret-dialog.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { InvitationRow } from "./invitation-row.tsx";
import { InviteForm, type Invited } from "./invite-form.tsx";
import { MemberRow } from "./member-row.tsx";
import { withArticle } from "./roles.ts";
import { useConfirmations } from "./use-confirmations.ts";

/** The members of the business and open invitations. */
export function MembersSection() {
  const me = useMember();
  const members = useMembers();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const confirm = useConfirmations(me.id, setConfirmation);
  return (
    <SectionLayout title="Members" lead="The people who can log in, and their roles.">
      <InviteForm canInviteOwners={me.isOwner} onInvited={(invited) => setSecret(toSecret(invited))} />
      <QueryView query={members} label="members">
        {(list) => (
          <List label="Members">
            {list.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                me={me}
                onRole={(role) => confirm.roleChange(member, role)}
                onRemove={() => confirm.removal(member)}
              />
            ))}
          </List>
        )}
      </QueryView>
      <OpenInvitations members={members.data ?? []} onRevoke={confirm.revocation} />
      <SecretDialog secret={secret} onDone={() => setSecret(null)} />
      <ConfirmAction confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </SectionLayout>
  );
}

type OpenInvitationsProps = { readonly members: readonly Member[]; readonly onRevoke: (invitation: Invitation) => void };

function OpenInvitations({ members, onRevoke }: OpenInvitationsProps) {
  const invitations = useInvitations();
  return (
    <section aria-labelledby="invitations" className="flex flex-col gap-2">
      <h2 id="invitations" className="text-lg font-semibold">
        Pending invitations
      </h2>
      <QueryView query={invitations} label="invitations">
        {(list) =>
          list.length === 0 ? (
            <p className="text-sm text-quiet">
              No pending invitations. An invitation is listed until it is accepted or expires after a week.
            </p>
          ) : (
            <List label="Pending invitations">
              {list.map((one) => (
                <InvitationRow
                  key={one.id}
                  invitation={one}
                  invitedBy={members.find(({ id }) => id === one.createdBy)?.email ?? null}
                  onRevoke={() => onRevoke(one)}
                />
              ))}
            </List>
          )
        }
      </QueryView>
    </section>
  );
}

const toSecret = ({ email, role, link }: Invited): Secret => ({
  title: `Invitation for ${email}`,
  note: `Send this link to ${email}. Whoever opens it first joins as ${withArticle(role)}. It expires after a week, and is shown only once.`,
  label: "Invitation link",
  text: link,
  done: "I have copied it",
});
