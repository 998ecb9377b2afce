import { getErrorMessage } from "../../api/client/client.ts";

/** Errors of fields found before the request. */
class FieldErrors extends Error {
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields).join(" "));
    this.name = "FieldErrors";
    this.fields = fields;
  }
}

/** Throws if a field has an error message. */
export function validateFields(errors: Readonly<Record<string, string | false>>): void {
  const wrong = Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== false);
  if (wrong.length > 0) throw new FieldErrors(Object.fromEntries(wrong));
}

/** Error messages by field; `rest` concerns the whole form. */
export type FormErrors = { readonly fields: Readonly<Record<string, string>>; readonly rest: string | null };

export const NO_ERRORS: FormErrors = { fields: {}, rest: null };

/**
 * Assigns an error to its field. The server's message begins with the field (`expires_at must be …`); `labels` maps field names to the
 * labels shown.
 */
export function toFormErrors(error: unknown, labels: Readonly<Record<string, string>>): FormErrors {
  if (error instanceof FieldErrors) return { fields: error.fields, rest: null };
  const message = getErrorMessage(error);
  const [, field = "", rest = ""] = /^([a-z_]+)\b(.*)$/s.exec(message) ?? [];
  const label = labels[field];
  return label === undefined ? { fields: {}, rest: message } : { fields: { [field]: `${label}${rest}` }, rest: null };
}
