import type { Member, Role } from "@tessera/sdk";
import { useState } from "react";
import { tessera } from "../../api/client/client.ts";
import { INVITATIONS, MEMBERS, SESSION } from "../../api/keys.ts";
import { useInvitations, useMembers } from "../../api/people.ts";
import { useMember } from "../../api/session.ts";
import { useChange } from "../data.ts";
import { AskFirst, type Question } from "../parts/ask-first.tsx";
import { Frame } from "../parts/frame.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Rows } from "../parts/rows.tsx";
import { SecretDialog, type Secret } from "../parts/secret-dialog.tsx";
import { InvitationRow } from "./invitation-row.tsx";
import { InviteForm, type Invited } from "./invite-form.tsx";
import { MemberRow } from "./member-row.tsx";
import { roleName } from "./role-words.ts";

/** Who belongs to the business, and who is invited. */
export function MembersSection() {
  const me = useMember();
  const members = useMembers();
  const invitations = useInvitations();
  const setRole = useChange(
    ({ id, role }: { readonly id: string; readonly role: Role }) => tessera.people.setRole(id, role),
    [MEMBERS, SESSION],
  );
  const remove = useChange(tessera.people.removeMember, [MEMBERS]);
  const withdraw = useChange(tessera.people.withdrawInvitation, [INVITATIONS]);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const askForRole = ({ id, email }: Member, role: Role) =>
    setQuestion({
      title: `Make ${email} ${role === "member" ? "a member" : `an ${role}`}?`,
      text:
        id === me.id
          ? "This changes what you yourself may do, and you have to log in again."
          : "Their browsers are logged out, so that the new role holds at once.",
      action: `Make ${roleName(role)}`,
      run: () => setRole.mutateAsync({ id, role }),
      done: `${email} is ${role === "member" ? "a member" : `an ${role}`} now.`,
    });
  const askToRemove = ({ id, email }: Member) =>
    setQuestion({
      title: id === me.id ? "Leave this business?" : `Remove ${email}?`,
      text:
        id === me.id
          ? "You are logged out everywhere at once. To come back you need an invitation."
          : "They are logged out everywhere at once. What they made stays, and so do API keys they created. To come back they need a new invitation.",
      action: id === me.id ? "Leave" : "Remove",
      run: () => remove.mutateAsync(id),
      done: `${email} is removed.`,
    });
  const askToWithdraw = (id: string, email: string) =>
    setQuestion({
      title: `Withdraw the invitation of ${email}?`,
      text: "Its link stops working at once.",
      action: "Withdraw",
      run: () => withdraw.mutateAsync(id),
      done: "The invitation is withdrawn.",
    });
  const invited = ({ email, role, link }: Invited) =>
    setSecret({
      title: `An invitation for ${email}`,
      note: `Send this link to ${email}. It makes one person ${role === "member" ? "a member" : `an ${role}`}, once, within a week, and is shown this once.`,
      label: "Invitation link",
      text: link,
      done: "I have copied it",
    });
  return (
    <Frame title="Members" lead="The people who log in here, and what each may do.">
      <InviteForm canInviteOwners={me.isOwner} onInvited={invited} />
      <Loaded query={members} label="members">
        {(list) => (
          <Rows label="Members">
            {list.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                me={me}
                onRole={(role) => askForRole(member, role)}
                onRemove={() => askToRemove(member)}
              />
            ))}
          </Rows>
        )}
      </Loaded>
      <section aria-labelledby="invitations" className="flex flex-col gap-2">
        <h2 id="invitations" className="text-lg font-semibold">
          Open invitations
        </h2>
        <Loaded query={invitations} label="invitations">
          {(list) =>
            list.length === 0 ? (
              <p className="text-sm text-quiet">None. An invitation stands here until it is used or its week is over.</p>
            ) : (
              <Rows label="Open invitations">
                {list.map((one) => (
                  <InvitationRow
                    key={one.id}
                    invitation={one}
                    invitedBy={members.data?.find(({ id }) => id === one.createdBy)?.email ?? null}
                    onWithdraw={() => askToWithdraw(one.id, one.email)}
                  />
                ))}
              </Rows>
            )
          }
        </Loaded>
      </section>
      <SecretDialog secret={secret} onDone={() => setSecret(null)} />
      <AskFirst question={question} onClose={() => setQuestion(null)} />
    </Frame>
  );
}
