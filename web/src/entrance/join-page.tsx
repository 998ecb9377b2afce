import { useLocation } from "wouter";
import { isStatus, sentenceOf } from "../api/client/client.ts";
import { useInvitationLook, useJoin } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Loading } from "../ui/states/loading.tsx";
import { Notice } from "../ui/states/notice.tsx";
import { PasswordField, TextField } from "../ui/controls/text-field.tsx";
import { DeadLink } from "./dead-link.tsx";
import { EntranceCard } from "./entrance-card.tsx";
import { checkPassword, MIN_PASSWORD_LENGTH, useEntranceForm } from "./use-entrance-form.ts";
import { useToken } from "./use-token.ts";

/** Makes a member of whoever was invited. */
export function JoinPage() {
  const token = useToken();
  const [, goTo] = useLocation();
  const look = useInvitationLook(token);
  const join = useJoin();
  const { form, errors, onSubmit, onChange } = useEntranceForm(
    ({ password }) => checkPassword(password),
    async ({ password }) => {
      await join.mutateAsync({ token, password });
      goTo("/", { replace: true });
    },
  );
  if (token === "") return <DeadLink>Open the whole link that you were sent: it ends in a long code.</DeadLink>;
  const refusal = look.error ?? (isStatus(join.error, 404) ? join.error : null);
  if (refusal !== null) return <DeadLink>{sentenceOf(refusal)}</DeadLink>;
  if (look.data === undefined) return <Loading label="Looking at the invitation" />;
  const { invitation, business } = look.data;
  const role = invitation.role === "member" ? "a member" : `an ${invitation.role}`;
  return (
    <EntranceCard title={`Join ${business.name}`} lead={`You were invited as ${role}. Choose a password to come in.`}>
      <form ref={form} onSubmit={onSubmit} noValidate className="mt-5 flex flex-col gap-4">
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          readOnly
          value={invitation.email}
          inputClassName="bg-surface"
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          autoFocus
          hint={`At least ${MIN_PASSWORD_LENGTH} characters. A few words in a row are easy to remember and hard to guess.`}
          error={errors.password}
          onChange={() => onChange("password")}
        />
        {(errors.form ?? errors.email) !== undefined && <Notice kind="problem">{errors.form ?? errors.email}</Notice>}
        <Button type="submit" variant="primary" isBusy={join.isPending}>
          Join
        </Button>
      </form>
    </EntranceCard>
  );
}
