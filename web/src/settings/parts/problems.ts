import { sentenceOf } from "../../api/client/client.ts";

/** What is wrong with fields, found before anything was sent. */
class FieldProblems extends Error {
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields).join(" "));
    this.name = "FieldProblems";
    this.fields = fields;
  }
}

/** Stops the work of a form where any field has a sentence that says what is wrong with it. */
export function requireFields(problems: Readonly<Record<string, string | false>>): void {
  const wrong = Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== false);
  if (wrong.length > 0) throw new FieldProblems(Object.fromEntries(wrong));
}

/** What is wrong, at the field that it concerns or, as `rest`, with the whole. */
export type Problems = { readonly fields: Readonly<Record<string, string>>; readonly rest: string | null };

export const NO_PROBLEMS: Problems = { fields: {}, rest: null };

/**
 * Sorts a failure to its field. The service names the field first (`expires_at must be …`); `labels` has the fields of the form
 * by those names, with the words that stand at them.
 */
export function problemsOf(error: unknown, labels: Readonly<Record<string, string>>): Problems {
  if (error instanceof FieldProblems) return { fields: error.fields, rest: null };
  const message = sentenceOf(error);
  const [, field = "", rest = ""] = /^([a-z_]+)\b(.*)$/s.exec(message) ?? [];
  const label = labels[field];
  return label === undefined ? { fields: {}, rest: message } : { fields: { [field]: `${label}${rest}` }, rest: null };
}
