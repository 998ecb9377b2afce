import { Redirect, useSearch } from "wouter";
import { hasSessionEnded, useLogIn, useSession, useHasOwner } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Notice } from "../ui/states/notice.tsx";
import { PasswordField, TextField } from "../ui/controls/text-field.tsx";
import { AuthCard } from "./auth-card.tsx";
import { getReturnPath } from "./login-redirect.ts";
import { validateEmail, useAuthForm } from "./use-auth-form.ts";

export function LoginPage() {
  const search = useSearch();
  const session = useSession();
  const { data: hasOwner = true } = useHasOwner();
  const logIn = useLogIn();
  const { form, errors, onSubmit, onChange } = useAuthForm(
    ({ email, password }) => ({ ...validateEmail(email), ...(password === "" && { password: "Enter your password." }) }),
    (fields) => logIn.mutateAsync(fields),
  );
  if (session.data) return <Redirect to={getReturnPath(`?${search}`)} replace />;
  return (
    <AuthCard title="Log in">
      {!hasOwner && (
        <Notice kind="note" className="mt-4">
          This install has no owner yet. Open the set-up link that the server printed when it started; a restart prints a new one.
        </Notice>
      )}
      {hasSessionEnded() && (
        <Notice kind="warn" className="mt-4">
          Your session has ended. Log in again to continue.
        </Notice>
      )}
      <form ref={form} onSubmit={onSubmit} noValidate className="mt-5 flex flex-col gap-4">
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          error={errors.email}
          onChange={() => onChange("email")}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          error={errors.password}
          onChange={() => onChange("password")}
        />
        {errors.form !== undefined && <Notice kind="problem">{errors.form}</Notice>}
        <Button type="submit" variant="primary" isBusy={logIn.isPending}>
          Log in
        </Button>
      </form>
      <details className="mt-5 text-sm text-quiet">
        <summary className="w-fit rounded-sm pointer-coarse:-my-3.5 pointer-coarse:py-3.5">
          Forgot your password, or no account yet?
        </summary>
        <p className="mt-2 text-pretty">
          An owner or admin can send you an invitation link, under Settings, Members. The operator can set a new password on the command
          line.
        </p>
      </details>
    </AuthCard>
  );
}
