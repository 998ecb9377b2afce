import type { IncomingHttpHeaders } from "node:http";

/** Returns the API key of a request: the X-API-Key header, otherwise the bearer token. Keys in the query are ignored. */
export function readApiKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers["x-api-key"];
  if (typeof header === "string" && header !== "") return header;
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "");
  return bearer?.[1];
}
