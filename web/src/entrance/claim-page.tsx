import { useLocation } from "wouter";
import { useClaim } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Notice } from "../ui/states/notice.tsx";
import { PasswordField, TextField } from "../ui/controls/text-field.tsx";
import { DeadLink } from "./dead-link.tsx";
import { EntranceCard } from "./entrance-card.tsx";
import { checkNew, MIN_PASSWORD_LENGTH, useEntranceForm } from "./use-entrance-form.ts";
import { useToken } from "./use-token.ts";
import { isStatus } from "../api/client/client.ts";

/** Makes the first owner of a fresh install. */
export function ClaimPage() {
  const token = useToken();
  const [, goTo] = useLocation();
  const claim = useClaim();
  const { form, errors, onSubmit, onChange } = useEntranceForm(checkNew, async (fields) => {
    await claim.mutateAsync({ token, ...fields });
    goTo("/", { replace: true });
  });
  if (token === "")
    return <DeadLink>Open the whole link that the server printed when it was first started: it ends in a long code.</DeadLink>;
  if (isStatus(claim.error, 404)) return <DeadLink>{claim.error?.message}</DeadLink>;
  return (
    <EntranceCard title="Welcome to Tessera" lead="Make the first account. It owns this install, and can invite others.">
      <form ref={form} onSubmit={onSubmit} noValidate className="mt-5 flex flex-col gap-4">
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          hint="Only to log in with. Nothing is sent to it."
          error={errors.email}
          onChange={() => onChange("email")}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters. A few words in a row are easy to remember and hard to guess.`}
          error={errors.password}
          onChange={() => onChange("password")}
        />
        {errors.form !== undefined && <Notice kind="problem">{errors.form}</Notice>}
        <Button type="submit" variant="primary" isBusy={claim.isPending}>
          Create the account
        </Button>
      </form>
    </EntranceCard>
  );
}
