import type { Role } from "@tessera-board/sdk";
import { useState } from "react";
import { tessera } from "../../api/client/client.ts";
import { INVITATIONS_KEY } from "../../api/query-keys.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Panel } from "../../ui/floating/panel.tsx";
import { Select, TextField } from "../../ui/controls/text-field.tsx";
import { useSettingsMutation } from "../../api/settings.ts";
import { Form, useForm } from "../parts/form.tsx";
import { validateFields } from "../parts/form-errors.ts";
import { ROLE_CHOICES } from "./roles.ts";

export type Invited = { readonly email: string; readonly role: Role; readonly link: string };

/** Invites a person by e-mail address and role; passes the invitation link to `onInvited`. */
export function InviteForm({
  canInviteOwners,
  onInvited,
}: {
  readonly canInviteOwners: boolean;
  readonly onInvited: (invited: Invited) => void;
}) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = useSettingsMutation(tessera.people.invite, [INVITATIONS_KEY]);
  const form = useForm({ email: "The e-mail address", role: "The role" }, async () => {
    validateFields({ email: !/^\S+@\S+$/.test(email.trim()) && "Enter an e-mail address, such as name@example.com." });
    const { invitation, link } = await invite.mutateAsync({ email: email.trim(), role });
    onInvited({ email: invitation.email, role, link });
    setEmail("");
    setRole("member");
  });
  const { fields } = form.errors;
  const roles = ROLE_CHOICES.filter((one) => canInviteOwners || one.id !== "owner");
  return (
    <Panel
      title="Invite a person"
      description="You get a link to send to this person; no e-mail is sent. A new invitation for the same address replaces the earlier link."
    >
      <Form form={form} className="grid items-start gap-x-3 gap-y-4 sm:grid-cols-[1fr_14rem_auto]">
        <TextField
          label="E-mail"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={fields["email"]}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Select
          label="Role"
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
          error={fields["role"]}
          hint={roles.find((one) => one.id === role)?.meaning}
        >
          {roles.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        {/* Aligns the button with the fields, whose labels are above them. */}
        <Button variant="primary" type="submit" isBusy={form.isBusy} className="sm:mt-6">
          Invite
        </Button>
      </Form>
    </Panel>
  );
}
