import { getErrorMessage } from "../../api/client/client.ts";

/** What is wrong with fields, found before anything was sent. */
class FieldErrors extends Error {
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields).join(" "));
    this.name = "FieldProblems";
    this.fields = fields;
  }
}

/** Stops the work of a form where any field has a sentence that says what is wrong with it. */
export function validateFields(errors: Readonly<Record<string, string | false>>): void {
  const wrong = Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== false);
  if (wrong.length > 0) throw new FieldErrors(Object.fromEntries(wrong));
}

/** What is wrong, at the field that it concerns or, as `rest`, with the whole. */
export type FormErrors = { readonly fields: Readonly<Record<string, string>>; readonly rest: string | null };

export const NO_ERRORS: FormErrors = { fields: {}, rest: null };

/**
 * Sorts a failure to its field. The service names the field first (`expires_at must be …`); `labels` has the fields of the form
 * by those names, with the words that stand at them.
 */
export function toFormErrors(error: unknown, labels: Readonly<Record<string, string>>): FormErrors {
  if (error instanceof FieldErrors) return { fields: error.fields, rest: null };
  const message = getErrorMessage(error);
  const [, field = "", rest = ""] = /^([a-z_]+)\b(.*)$/s.exec(message) ?? [];
  const label = labels[field];
  return label === undefined ? { fields: {}, rest: message } : { fields: { [field]: `${label}${rest}` }, rest: null };
}
