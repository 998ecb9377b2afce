import type { IngestError } from "#domain/content/job.ts";
import { getValue, getArray, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { loginWallError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { encodePathPart } from "../../../extract/posts/post-text.ts";

export const SERVICE = "Bluesky";
const ORIGIN = "https://public.api.bsky.app/xrpc";
const DID = /^did:(?:plc|web):[\w.:%-]{1,200}$/;

/** Maps an error (AT Protocol XRPC: `{ error, message }`). Returns null if the status alone decides. */
function mapError(text: string, what: string): IngestError | null {
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    return null;
  }
  const error = getString(response, "error") ?? "";
  const message = (getString(response, "message") ?? "").slice(0, 500);
  if (/^(?:NotFound|RecordNotFound|AccountTakedown|AccountDeactivated|RepoNotFound|ActorNotFound)$/.test(error)) return notFoundError(what);
  if (
    error === "InvalidRequest" &&
    /(?:not found|could not (?:find|locate|resolve)|unable to resolve|deactivated|suspended|must be a valid)/i.test(message)
  )
    return notFoundError(what);
  return error === "AuthMissing" || error === "AuthenticationRequired" ? loginWallError(SERVICE) : null;
}

/** Calls a method of the public API. Throws `IngestError`; `what` is the subject of its message. */
export function callNetwork(
  context: ExtractContext,
  method: string,
  query: Readonly<Record<string, string>>,
  what: string,
): Promise<unknown> {
  const url = new URL(`${ORIGIN}/${method}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return fetchJson(context, {
    service: SERVICE,
    url,
    mapError: (status, text) => (status === 400 || status === 401 || status === 404 ? mapError(text, what) : null),
  });
}

/** Resolves a handle to the account's permanent identifier (DID). */
export async function resolveActor(context: ExtractContext, actor: string): Promise<string> {
  if (actor.startsWith("did:")) return actor;
  const handle = actor.replace(/^@/, "");
  const response = await callNetwork(context, "com.atproto.identity.resolveHandle", { handle }, "This account");
  const did = getString(response, "did");
  if (did === null || !DID.test(did)) throw sourceChangedError(SERVICE);
  return did;
}

/** Throws where the author restricts posts to logged-in users. */
export function assertVisible(author: unknown): void {
  const labels = getArray(author, "labels").slice(0, 1_000);
  if (labels.some((label) => getString(label, "val") === "!no-unauthenticated" && getValue(label, "neg") !== true))
    throw loginWallError(SERVICE);
}

/** Returns the address of an account's page. The colons of a DID are not escaped. */
export const buildProfileAddress = (actor: string): string => `https://bsky.app/profile/${encodePathPart(actor).replaceAll("%3A", ":")}`;
