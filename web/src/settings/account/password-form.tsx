import { useState } from "react";
import { tessera } from "../../api/client/client.ts";
import { SESSIONS_KEY } from "../../api/query-keys.ts";
import { Button } from "../../ui/controls/button.tsx";
import { PasswordField } from "../../ui/controls/text-field.tsx";
import { showToast } from "../../ui/toasts.ts";
import { useSettingsMutation } from "../../api/settings.ts";
import { Form, useForm } from "../parts/form.tsx";
import { validateFields } from "../parts/form-errors.ts";

/** Minimum length in characters; the server enforces it. */
const MIN_PASSWORD_LENGTH = 10;

/** Changes the password. The input stays if the server rejects it. */
export function PasswordForm({ email }: { readonly email: string }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useSettingsMutation(tessera.people.changePassword, [SESSIONS_KEY]);
  const form = useForm(
    { current_password: "The current password", new_password: "The new password", password: "The new password" },
    async () => {
      const isShort = [...next].length < MIN_PASSWORD_LENGTH;
      validateFields({
        current_password: current === "" && "Enter your current password.",
        new_password:
          (isShort && `Use at least ${MIN_PASSWORD_LENGTH} characters.`) ||
          (next === current && "The new password must differ from the current one."),
      });
      await change.mutateAsync({ currentPassword: current, newPassword: next });
      setCurrent("");
      setNext("");
      showToast({ text: "Password changed. Other browsers are logged out.", kind: "good" });
    },
  );
  const { fields } = form.errors;
  return (
    <Form form={form} className="flex max-w-md flex-col gap-4">
      {/* Lets password managers find the account. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
        error={fields["current_password"]}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        value={next}
        onChange={(event) => setNext(event.target.value)}
        error={fields["new_password"] ?? fields["password"]}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. Several random words are easy to remember and hard to guess.`}
      />
      <div>
        <Button variant="primary" type="submit" isBusy={form.isBusy}>
          Change password
        </Button>
      </div>
    </Form>
  );
}
