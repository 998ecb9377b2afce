import type { IncomingHttpHeaders } from "node:http";

/** The key that a request came with: one X-API-Key header, else a bearer token; never from the query. */
export function readApiKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers["x-api-key"];
  if (typeof header === "string" && header !== "") return header;
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "");
  return bearer?.[1];
}
