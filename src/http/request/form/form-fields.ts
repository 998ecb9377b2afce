/** The fields of a form by name: a text, or all texts of a name that occurs several times. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** Collects the fields of a form in order. */
export class FormFieldCollector {
  readonly #fields = new Map<string, string | string[]>();

  add(name: string, value: string): void {
    const earlier = this.#fields.get(name);
    if (earlier === undefined) this.#fields.set(name, value);
    else if (typeof earlier === "string") this.#fields.set(name, [earlier, value]);
    else earlier.push(value);
  }

  fields(): FormFields {
    return Object.fromEntries(this.#fields);
  }
}
