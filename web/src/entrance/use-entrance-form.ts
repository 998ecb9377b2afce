import { type FormEvent, type RefObject, useRef, useState } from "react";
import { isAbout, sentenceOf } from "../api/client/client.ts";

export type EntranceErrors = { readonly email?: string; readonly password?: string; readonly form?: string };

export type EntranceForm = {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly errors: EntranceErrors;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Forgets what was wrong with a field once it is changed. */
  readonly onChange: (field: "email" | "password") => void;
};

/** At least so many characters; the server has the last word. */
export const MIN_PASSWORD_LENGTH = 10;

type Fields = { readonly email: string; readonly password: string };

/** A form with an address and a password that says at the field what is wrong, and keeps what was typed. */
export function useEntranceForm(check: (fields: Fields) => EntranceErrors, send: (fields: Fields) => Promise<unknown>): EntranceForm {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<EntranceErrors>({});

  const show = (found: EntranceErrors): boolean => {
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
      const fields = { email: textOf(data.get("email")).trim(), password: textOf(data.get("password")) };
      if (show(check(fields))) return;
      send(fields).catch((error: unknown) => show(placed(sentenceOf(error))));
    },
    onChange: (field) => setErrors((before) => without(before, field, "form")),
  };
}

/** What is wrong with an address and a password for a new member. */
export function checkNew({ email, password }: Fields): EntranceErrors {
  return { ...checkEmail(email), ...checkPassword(password) };
}

export const checkEmail = (email: string): EntranceErrors =>
  /^[^\s@]+@[^\s@]+$/.test(email)
    ? {}
    : { email: email === "" ? "Type your e-mail address." : "This is no e-mail address. It looks like name@example.com." };

export const checkPassword = (password: string): EntranceErrors =>
  [...password].length >= MIN_PASSWORD_LENGTH ? {} : { password: `Use at least ${MIN_PASSWORD_LENGTH} characters.` };

function placed(message: string): EntranceErrors {
  if (isAbout(message, "email")) return { email: message };
  return isAbout(message, "password") ? { password: message } : { form: message };
}

const textOf = (value: FormDataEntryValue | null): string => (typeof value === "string" ? value : "");

const without = (errors: EntranceErrors, ...fields: readonly (keyof EntranceErrors)[]): EntranceErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.some((one) => one === field)));
