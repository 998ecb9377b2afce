import { getValue } from "../../../read/json-access.ts";
import { parseScriptJson } from "../../../extract/fetch/embedded-json.ts";
import { sourceChangedError } from "../../../extract/sources/errors.ts";

export const SERVICE = "TikTok";
export const ORIGIN = "https://www.tiktok.com";
/** The script element with the data that a page embeds for its own use. */
export const SCRIPT_ID = "__UNIVERSAL_DATA_FOR_REHYDRATION__";

/** Parses a page's embedded data. Throws `IngestError` `source_changed` if it has none. */
export function parseScope(html: string): unknown {
  const scope = getValue(parseScriptJson(html, SCRIPT_ID), "__DEFAULT_SCOPE__");
  if (scope === undefined) throw sourceChangedError(SERVICE);
  return scope;
}
