import type { TileType } from "#domain/content/tile.ts";

/** What an address alone tells of the thing behind it. */
export type Kind = { readonly type: TileType; readonly subtype?: string; readonly id?: string };

/** An address taken apart for matching: host in lower case without trailing dot, `www.`, `m.` or `mobile.`. */
export type Place = { readonly host: string; readonly path: string; readonly query: URLSearchParams };

/**
 * One shape of address within a family. `path` is tried on the path; the first group is the id unless `id` says
 * otherwise, and an id that is undefined means the shape does not fit after all.
 */
export type Rule = {
  readonly path: RegExp;
  readonly host?: RegExp;
  /** Null: the type is known, not what it is. */
  readonly subtype: string | null;
  readonly type?: TileType;
  readonly id?: (found: RegExpExecArray, place: Place) => string | undefined;
};

/** The hosts of one service and the shapes of address on them, tried in order. */
export type Family = { readonly type: TileType; readonly hosts: RegExp; readonly rules: readonly Rule[] };

/** An id taken from the query; `valid` bounds its form. */
export const fromQuery =
  (name: string, valid: RegExp) =>
  (_found: RegExpExecArray, place: Place): string | undefined => {
    const value = place.query.get(name) ?? "";
    return valid.test(value) ? value : undefined;
  };

/** The first group, unless it is one of the service's own words. */
export const unlessReserved =
  (words: string) =>
  (found: RegExpExecArray): string | undefined => {
    const name = found[1] ?? "";
    return words.split(" ").includes(name.toLowerCase()) ? undefined : name;
  };

/** The path without the slashes around it. */
export const wholePath = (_found: RegExpExecArray, place: Place): string => place.path.replace(/^\/|\/$/g, "");

/** The kind the first fitting rule tells; null when none fits. */
export function matchFamily(family: Family, place: Place): Kind | null {
  for (const rule of family.rules) {
    if (rule.host && !rule.host.test(place.host)) continue;
    const found = rule.path.exec(place.path);
    if (!found) continue;
    const id = rule.id ? rule.id(found, place) : found[1];
    if (rule.id && id === undefined) continue;
    return {
      type: rule.type ?? family.type,
      ...(rule.subtype === null ? {} : { subtype: rule.subtype }),
      ...(id === undefined ? {} : { id }),
    };
  }
  return null;
}
