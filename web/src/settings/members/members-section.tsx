import type { Member, Role } from "@tessera/sdk";
import { useState } from "react";
import { tessera } from "../../api/client/client.ts";
import { INVITATIONS_KEY, MEMBERS_KEY, SESSION_KEY } from "../../api/query-keys.ts";
import { useInvitations, useMembers } from "../../api/people.ts";
import { useMember } from "../../api/session.ts";
import { useSettingsMutation } from "../settings-queries.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { List } from "../parts/list.tsx";
import { SecretDialog, type Secret } from "../parts/secret-dialog.tsx";
import { InvitationRow } from "./invitation-row.tsx";
import { InviteForm, type Invited } from "./invite-form.tsx";
import { MemberRow } from "./member-row.tsx";
import { getRoleName } from "./roles.ts";

/** The members of the business and open invitations. */
export function MembersSection() {
  const me = useMember();
  const members = useMembers();
  const invitations = useInvitations();
  const setRole = useSettingsMutation(
    ({ id, role }: { readonly id: string; readonly role: Role }) => tessera.people.setRole(id, role),
    [MEMBERS_KEY, SESSION_KEY],
  );
  const remove = useSettingsMutation(tessera.people.removeMember, [MEMBERS_KEY]);
  const revoke = useSettingsMutation(tessera.people.withdrawInvitation, [INVITATIONS_KEY]);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const confirmRoleChange = ({ id, email }: Member, role: Role) =>
    setConfirmation({
      title: `Make ${email} ${role === "member" ? "a member" : `an ${role}`}?`,
      text:
        id === me.id
          ? "This changes your own permissions, and you have to log in again."
          : "They are logged out, so that the new role takes effect immediately.",
      action: `Make ${getRoleName(role)}`,
      run: () => setRole.mutateAsync({ id, role }),
      done: `${email} is now ${role === "member" ? "a member" : `an ${role}`}.`,
    });
  const confirmRemove = ({ id, email }: Member) =>
    setConfirmation({
      title: id === me.id ? "Leave this business?" : `Remove ${email}?`,
      text:
        id === me.id
          ? "You are logged out everywhere immediately. To return, you need an invitation."
          : "They are logged out everywhere immediately. Their content and their API keys stay. To return, they need a new invitation.",
      action: id === me.id ? "Leave" : "Remove",
      run: () => remove.mutateAsync(id),
      done: `${email} is removed.`,
    });
  const confirmRevokeInvitation = (id: string, email: string) =>
    setConfirmation({
      title: `Revoke the invitation for ${email}?`,
      text: "Its link stops working immediately.",
      action: "Revoke",
      run: () => revoke.mutateAsync(id),
      done: "Invitation revoked.",
    });
  const invited = ({ email, role, link }: Invited) =>
    setSecret({
      title: `Invitation for ${email}`,
      note: `Send this link to ${email}. It makes one person ${role === "member" ? "a member" : `an ${role}`}, works once within a week, and is shown only once.`,
      label: "Invitation link",
      text: link,
      done: "I have copied it",
    });
  return (
    <SectionLayout title="Members" lead="The people who can log in, and their roles.">
      <InviteForm canInviteOwners={me.isOwner} onInvited={invited} />
      <QueryView query={members} label="members">
        {(list) => (
          <List label="Members">
            {list.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                me={me}
                onRole={(role) => confirmRoleChange(member, role)}
                onRemove={() => confirmRemove(member)}
              />
            ))}
          </List>
        )}
      </QueryView>
      <section aria-labelledby="invitations" className="flex flex-col gap-2">
        <h2 id="invitations" className="text-lg font-semibold">
          Open invitations
        </h2>
        <QueryView query={invitations} label="invitations">
          {(list) =>
            list.length === 0 ? (
              <p className="text-sm text-quiet">None. An invitation is listed until it is accepted or expires after a week.</p>
            ) : (
              <List label="Open invitations">
                {list.map((one) => (
                  <InvitationRow
                    key={one.id}
                    invitation={one}
                    invitedBy={members.data?.find(({ id }) => id === one.createdBy)?.email ?? null}
                    onRevoke={() => confirmRevokeInvitation(one.id, one.email)}
                  />
                ))}
              </List>
            )
          }
        </QueryView>
      </section>
      <SecretDialog secret={secret} onDone={() => setSecret(null)} />
      <ConfirmAction confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </SectionLayout>
  );
}
