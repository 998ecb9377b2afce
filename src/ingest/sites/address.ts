import type { TileType } from "#domain/content/tile.ts";
import type { LinkKind } from "../extract/kind.ts";
import { decodeSafely } from "../extract/fetch/urls.ts";

/** An address prepared for matching. The host is in lower case without a final dot, `www.`, `m.` and `mobile.`; the path is decoded. */
export type Address = { readonly host: string; readonly path: string; readonly query: URLSearchParams };

/**
 * One form of address on a site. The first group of `path` is the id, unless `id` computes it. If `id` returns undefined, the rule does
 * not match.
 */
export type AddressRule = {
  readonly path: RegExp;
  /** Restricts the rule to some of the site's hosts. */
  readonly host?: RegExp;
  /** Null if the address does not determine the subtype. */
  readonly subtype: string | null;
  /** Replaces the site's own type. */
  readonly type?: TileType;
  readonly id?: (match: RegExpExecArray, address: Address) => string | undefined;
};

export function parseAddress(url: URL): Address {
  const host = url.hostname
    .toLowerCase()
    .replace(/(?<!\.)\.+$/, "")
    .replace(/^(?:(?:www|m|mobile)\.)+(?=[^.]+\.)/, "");
  return { host, path: decodeSafely(url.pathname), query: url.searchParams };
}

/** Returns a function that reads the id from a query parameter. A value that does not match `valid` counts as missing. */
export const idFromQuery =
  (name: string, valid: RegExp) =>
  (_match: RegExpExecArray, address: Address): string | undefined => {
    const value = address.query.get(name) ?? "";
    return valid.test(value) ? value : undefined;
  };

/** Returns a function that reads the id from the first group, unless it is one of these words (separated by spaces): the site's own pages. */
export const idUnlessReserved =
  (words: string) =>
  (match: RegExpExecArray): string | undefined => {
    const name = match[1] ?? "";
    return words.split(" ").includes(name.toLowerCase()) ? undefined : name;
  };

/** Returns the path without its first and last slash. */
export const getWholePath = (_match: RegExpExecArray, address: Address): string => address.path.replace(/^\/|\/$/g, "");

/** Returns the kind of the first rule that matches, or null if none does. */
export function matchRules(type: TileType, rules: readonly AddressRule[], address: Address): LinkKind | null {
  for (const rule of rules) {
    if (rule.host && !rule.host.test(address.host)) continue;
    const match = rule.path.exec(address.path);
    if (!match) continue;
    const id = rule.id ? rule.id(match, address) : match[1];
    if (rule.id && id === undefined) continue;
    return {
      type: rule.type ?? type,
      ...(rule.subtype === null ? {} : { subtype: rule.subtype }),
      ...(id === undefined ? {} : { id }),
    };
  }
  return null;
}
