import type { FastifyReply } from "fastify";
import type { TObject } from "typebox";
import { invalidField } from "#domain/core/errors/error.ts";
import { findField } from "./schema-reader.ts";

const MAX_NAMES = 20;
/** More fields than a query or a body can have. */
const MAX_FIELDS = 2 ** 32;
const WITHOUT_EFFECT = ["has no effect in this call. Leave it out.", "field_without_effect"] as const;
/** Names come from outside and can be as long as the body. Longer ones are cut. */
const MAX_NAME_LENGTH = 100;

/**
 * Reports the fields of one request that have no effect: in `X-Ignored-Fields`, or as a 400 if the call is strict. Call it before anything
 * is changed.
 */
export class IgnoredFields {
  readonly #reply: FastifyReply | null;
  readonly #isStrict: boolean;
  readonly #parent: string;
  readonly #sources: { readonly schema: TObject | undefined; readonly fields: object }[] = [];
  /** In the order of their appearance, which `rank` is. */
  readonly #names: { readonly name: string; readonly rank: number }[] = [];

  /** `parent` precedes the names in errors: a field of the body and a dot, if the fields are within it. */
  constructor(reply: FastifyReply | null, isStrict: boolean, parent = "") {
    this.#reply = reply;
    this.#isStrict = isStrict;
    this.#parent = parent;
  }

  /** Reports the top-level fields of `source` that `schema` does not have. Anything but an object has none. */
  addUnknown(schema: TObject | undefined, source: unknown): void {
    if (typeof source !== "object" || source === null || Array.isArray(source)) return;
    let rank = (this.#sources.push({ schema, fields: source }) - 1) * MAX_FIELDS;
    for (const name in source) {
      if (this.#names.length >= MAX_NAMES) return;
      const field = schema === undefined ? undefined : findField(schema, name);
      if (field === undefined) this.#add(name, rank, "is not a known field.", "field_unknown");
      else if (field !== name && Object.hasOwn(source, field)) this.#add(name, rank, ...WITHOUT_EFFECT);
      rank++;
    }
  }

  /** Reports known fields that have no effect beside the others. */
  addWithoutEffect(...names: readonly string[]): void {
    for (const name of names) this.#add(name, this.#findRank(name), ...WITHOUT_EFFECT);
  }

  /** Returns where a known field is, under its name or its alias. */
  #findRank(wanted: string): number {
    for (const [at, { schema, fields }] of this.#sources.entries()) {
      let rank = at * MAX_FIELDS;
      for (const name in fields) {
        if (name === wanted || (schema !== undefined && findField(schema, name) === wanted)) return rank;
        rank++;
      }
    }
    return Infinity;
  }

  #add(name: string, rank: number, problem: string, code: "field_unknown" | "field_without_effect"): void {
    if (this.#isStrict) throw invalidField(this.#parent + name.slice(0, MAX_NAME_LENGTH).toWellFormed(), problem, code);
    const next = this.#names.findIndex((other) => other.rank > rank);
    this.#names.splice(next < 0 ? this.#names.length : next, 0, { name: encodeName(name), rank });
    this.#names.splice(MAX_NAMES);
    this.#reply?.header("X-Ignored-Fields", this.#names.map(({ name: shown }) => shown).join(", "));
  }
}

/** Throws 400 for the first field of `source` that `schema` does not have, or has twice by an alias. `parent` as in `IgnoredFields`. */
export const requireKnownFields = (schema: TObject, source: unknown, parent = ""): void =>
  new IgnoredFields(null, true, parent).addUnknown(schema, source);

/** Returns a name as a header can carry it: what is not unreserved in URLs is percent-encoded, and an empty name is two quotes. */
function encodeName(name: string): string {
  if (name === "") return '""';
  let encoded = "";
  for (const character of name.slice(0, MAX_NAME_LENGTH).toWellFormed()) {
    const next = encoded + encodeURIComponent(character);
    if (next.length > MAX_NAME_LENGTH) break;
    encoded = next;
  }
  return encoded;
}
