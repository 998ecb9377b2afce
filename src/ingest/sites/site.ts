import type { Extractor } from "../extract/extractor.ts";
import type { TileKind } from "../extract/kind.ts";
import { runSources } from "../extract/sources/run-sources.ts";
import type { SiteReader } from "../extract/sources/site-reader.ts";
import type { AddressRule } from "./address.ts";

/**
 * One site whose links are read: `sites/<group>/<site>/index.ts` exports it under the folder's name in camel case. `npm run sites`
 * writes the registry, the list of tile types, the page's icons and the table in docs/links.md from these definitions.
 */
export type Site = TileKind & {
  /** Matched against the host without `www.`, `m.` and `mobile.`; "any" if only the path identifies the site. */
  readonly hosts: RegExp | "any";
  /** True if each subdomain is a publisher of its own: an address that no rule matches is then treated like one of any other host. */
  readonly hostsPublishers?: boolean;
  /** Tried in order; an address that none of them matches is a web page. */
  readonly rules: readonly AddressRule[];
  /** The first one that accepts the link's subtype reads it. If none does, the link is read as a web page. */
  readonly readers: readonly SiteReader[];
};

/** Creates an extractor for each of the site's readers, in the same order. */
export const createExtractors = (site: Site): readonly Extractor[] =>
  site.readers.map((reader) => ({
    name: `${site.type.toLowerCase()}-${reader.name}`,
    accepts: ({ type, subtype, id }) =>
      type === site.type && id !== undefined && (reader.subtypes === undefined || reader.subtypes.includes(subtype ?? "")),
    extract: async (context) => {
      const sources = typeof reader.sources === "function" ? reader.sources() : reader.sources;
      const found = await runSources({ missing: reader.missing, sources })(context);
      return "handOffTo" in found && reader.onHandOff !== undefined ? reader.onHandOff(context) : found;
    },
  }));
