import { AppError } from "#domain/core/errors/error.ts";
import { hashToken, newToken, readEmail, requirePassword } from "#domain/settings/member.ts";
import { newId } from "#domain/core/system.ts";
import { type LogInResult, type PeopleDeps, draftSession } from "./sessions.ts";

const SETUP_TOKEN_MS = 7 * 86_400_000;

/** Creates the token of the one-time link that creates the owner account. Returns null when the first business has members already. */
export async function createSetupToken({ store, clock }: PeopleDeps): Promise<string | null> {
  const [business] = await store.boards.businesses();
  if (business === undefined) return null;
  const { token, hash } = newToken("c");
  return (await store.people.createSetupToken(business.id, hash, clock.now() + SETUP_TOKEN_MS)) ? token : null;
}

/** Returns the function that says whether the install has an owner. An install that has one keeps it, so it is asked for no more. */
export function createOwnerCheck({ store }: Pick<PeopleDeps, "store">): () => Promise<boolean> {
  let hasOwner = false;
  return async () => {
    if (hasOwner) return true;
    const [business] = await store.boards.businesses();
    hasOwner = business !== undefined && (await store.people.members(business.id)).length > 0;
    return hasOwner;
  };
}

/** Creates the owner account and logs it in. 404 when the link was used, has expired, or belongs to another install. */
export async function setUpOwner(
  deps: PeopleDeps,
  input: { readonly token: string; readonly email: string; readonly password: string; readonly agent: string },
): Promise<LogInResult> {
  const hash = hashToken("c", input.token);
  if (hash === null) throw invalidLink();
  const email = readEmail(input.email);
  requirePassword(input.password, email);
  const password = await deps.passwords.hash(input.password);
  const now = deps.clock.now();
  const { token, session } = draftSession(deps, input.agent);
  const loggedIn = await deps.store.people.createFirstOwner(hash, { id: newId("mem", now), email, password, createdAt: now }, session);
  if (loggedIn === null) throw invalidLink();
  return { ...loggedIn, token };
}

const invalidLink = (): AppError =>
  new AppError(
    "link_invalid",
    "This link was already used, has expired, or belongs to another install. Until there is an owner, restarting the server prints a new link.",
  );
