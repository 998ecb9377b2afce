import { useLocation } from "wouter";
import { useCreateOwner } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Notice } from "../ui/states/notice.tsx";
import { PasswordField, TextField } from "../ui/controls/text-field.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { AuthCard } from "./auth-card.tsx";
import { validateNewAccount, MIN_PASSWORD_LENGTH, useAuthForm } from "./use-auth-form.ts";
import { useLinkToken } from "./use-link-token.ts";
import { hasStatus } from "../api/client/client.ts";

/** First-run set-up: creates the owner account. */
export function SetupPage() {
  const token = useLinkToken();
  const [, goTo] = useLocation();
  const createOwner = useCreateOwner();
  const { form, errors, onSubmit, onChange } = useAuthForm(validateNewAccount, async (fields) => {
    await createOwner.mutateAsync({ token, ...fields });
    goTo("/", { replace: true });
  });
  if (token === "")
    return <InvalidLink>Open the complete link that the server printed at its first start. It ends in a long code.</InvalidLink>;
  if (hasStatus(createOwner.error, 404)) return <InvalidLink>{createOwner.error?.message}</InvalidLink>;
  return (
    <AuthCard title="Welcome to Tessera" lead="Create the owner account. The owner manages this install and can invite others.">
      <form ref={form} onSubmit={onSubmit} noValidate className="mt-5 flex flex-col gap-4">
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          hint="Only used to log in. No e-mail is sent."
          error={errors.email}
          onChange={() => onChange("email")}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters. Several random words are easy to remember and hard to guess.`}
          error={errors.password}
          onChange={() => onChange("password")}
        />
        {errors.form !== undefined && <Notice kind="problem">{errors.form}</Notice>}
        <Button type="submit" variant="primary" isBusy={createOwner.isPending}>
          Create account
        </Button>
      </form>
    </AuthCard>
  );
}
