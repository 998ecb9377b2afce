import { type FormEvent, type RefObject, useRef, useState } from "react";
import { isFieldError, getErrorMessage } from "../api/client/client.ts";

export type AuthErrors = { readonly email?: string; readonly password?: string; readonly form?: string };

export type AuthForm = {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly errors: AuthErrors;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Clears the error of a field that was changed. */
  readonly onChange: (field: "email" | "password") => void;
};

/** Minimum length; the server enforces it. */
export const MIN_PASSWORD_LENGTH = 10;

type Fields = { readonly email: string; readonly password: string };

/** State of a form with e-mail and password: shows errors at their fields and keeps the input. */
export function useAuthForm(check: (fields: Fields) => AuthErrors, send: (fields: Fields) => Promise<unknown>): AuthForm {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<AuthErrors>({});

  const show = (found: AuthErrors): boolean => {
    setErrors(found);
    const first = found.email !== undefined ? "email" : found.password === undefined ? undefined : "password";
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`input[name=${first}]`)?.focus();
    return Object.keys(found).length > 0;
  };

  return {
    form,
    errors,
    onSubmit(event) {
      event.preventDefault();
      const data = new FormData(event.currentTarget);
      const fields = { email: getString(data.get("email")).trim(), password: getString(data.get("password")) };
      if (show(check(fields))) return;
      send(fields).catch((error: unknown) => show(toAuthErrors(getErrorMessage(error))));
    },
    onChange: (field) => setErrors((before) => omitErrors(before, field, "form")),
  };
}

/** Validates the e-mail and password of a new account. */
export function validateNewAccount({ email, password }: Fields): AuthErrors {
  return { ...validateEmail(email), ...validatePassword(password) };
}

export const validateEmail = (email: string): AuthErrors =>
  /^[^\s@]+@[^\s@]+$/.test(email)
    ? {}
    : { email: email === "" ? "Enter your e-mail address." : "Enter a valid e-mail address, such as name@example.com." };

export const validatePassword = (password: string): AuthErrors =>
  [...password].length >= MIN_PASSWORD_LENGTH ? {} : { password: `Use at least ${MIN_PASSWORD_LENGTH} characters.` };

function toAuthErrors(message: string): AuthErrors {
  if (isFieldError(message, "email")) return { email: message };
  return isFieldError(message, "password") ? { password: message } : { form: message };
}

const getString = (value: FormDataEntryValue | null): string => (typeof value === "string" ? value : "");

const omitErrors = (errors: AuthErrors, ...fields: readonly (keyof AuthErrors)[]): AuthErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.some((one) => one === field)));
