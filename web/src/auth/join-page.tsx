import { useLocation } from "wouter";
import { hasStatus, getErrorMessage } from "../api/client/client.ts";
import { useInvitation, useJoin } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Loading } from "../ui/states/loading.tsx";
import { Notice } from "../ui/states/notice.tsx";
import { PasswordField, TextField } from "../ui/controls/text-field.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { AuthCard } from "./auth-card.tsx";
import { validatePassword, MIN_PASSWORD_LENGTH, useAuthForm } from "./use-auth-form.ts";
import { useLinkToken } from "./use-link-token.ts";

/** Accepts an invitation: sets a password and logs in. */
export function JoinPage() {
  const token = useLinkToken();
  const [, goTo] = useLocation();
  const invitationQuery = useInvitation(token);
  const join = useJoin();
  const { form, errors, onSubmit, onChange } = useAuthForm(
    ({ password }) => validatePassword(password),
    async ({ password }) => {
      await join.mutateAsync({ token, password });
      goTo("/", { replace: true });
    },
  );
  if (token === "") return <InvalidLink>Open the complete link that you received. It ends in a long code.</InvalidLink>;
  const linkError = invitationQuery.error ?? (hasStatus(join.error, 404) ? join.error : null);
  if (linkError !== null) return <InvalidLink>{getErrorMessage(linkError)}</InvalidLink>;
  if (invitationQuery.data === undefined) return <Loading label="Loading the invitation" />;
  const { invitation, business } = invitationQuery.data;
  const role = invitation.role === "member" ? "a member" : `an ${invitation.role}`;
  return (
    <AuthCard title={`Join ${business.name}`} lead={`You were invited as ${role}. Choose a password to join.`}>
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
          hint={`At least ${MIN_PASSWORD_LENGTH} characters. Several random words are easy to remember and hard to guess.`}
          error={errors.password}
          onChange={() => onChange("password")}
        />
        {(errors.form ?? errors.email) !== undefined && <Notice kind="problem">{errors.form ?? errors.email}</Notice>}
        <Button type="submit" variant="primary" isBusy={join.isPending}>
          Join
        </Button>
      </form>
    </AuthCard>
  );
}
