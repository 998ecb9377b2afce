import type { LoggedIn, Login } from "@tessera/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasStatus, tessera } from "./client/client.ts";
import { clearAllDrafts } from "./drafts/draft-store.ts";
import { SESSION_KEY, SESSIONS_KEY } from "./query-keys.ts";

const QUIET = { isQuiet: true } as const;

export const SESSION_QUERY = queryOptions({
  queryKey: SESSION_KEY,
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Login | null> => {
    try {
      const login = await tessera.people.session({ signal });
      rememberLogin(true);
      return login;
    } catch (error) {
      if (hasStatus(error, 401)) return null;
      throw error;
    }
  },
});

/** Who is logged in; null when nobody is. */
export const useSession = () => useQuery(SESSION_QUERY);

/** Whoever is logged in, where the page is only shown to somebody who is. */
export function useMember(): Login["member"] & { readonly canAdminister: boolean; readonly isOwner: boolean } {
  const { data } = useSession();
  if (data === null || data === undefined) throw new Error("Nobody is logged in.");
  const { role } = data.member;
  return { ...data.member, canAdminister: role === "owner" || role === "admin", isOwner: role === "owner" };
}

export const useLogIn = () => useAuthMutation(tessera.people.logIn);
/** Makes the first owner, by the link that the first start printed. */
export const useCreateOwner = () => useAuthMutation(tessera.people.claim);
/** Becomes a member, by a link of an invitation. */
export const useJoin = () => useAuthMutation(tessera.people.acceptInvitation);

function useAuthMutation<Input>(enter: (input: Input) => Promise<LoggedIn>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: enter,
    meta: QUIET,
    // The cookie is new: what another member saw here before must not be shown.
    onSuccess: async () => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
      await client.fetchQuery({ ...SESSION_QUERY, staleTime: 0 });
    },
  });
}

/** What a link to join is for. */
export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => tessera.people.lookAtInvitation(token, { signal }),
    enabled: token !== "",
    staleTime: Infinity,
    retry: false,
  });

/** `leave` goes to another page first, so that the next one to log in does not come back to this. */
export function useLogOut(leave?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => tessera.people.logOut(),
    onSuccess: () => {
      leave?.();
      notifyOtherTabs();
      rememberLogin(false);
      clearAllDrafts();
      client.setQueryData(SESSION_KEY, null);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
    },
  });
}

const LOGGED_IN_ITEM = "tessera-logged-in";

/** Notes for the life of this tab whether somebody is logged in who did not log out in it. */
function rememberLogin(isLoggedIn: boolean): void {
  try {
    if (isLoggedIn) sessionStorage.setItem(LOGGED_IN_ITEM, "yes");
    else sessionStorage.removeItem(LOGGED_IN_ITEM);
  } catch {
    // Without it the log-in gives no reason.
  }
}

/** Whether a session of this tab ended by itself or elsewhere: it expired, was revoked, or another tab logged out. */
export function hasSessionEnded(): boolean {
  try {
    return sessionStorage.getItem(LOGGED_IN_ITEM) !== null;
  } catch {
    return false;
  }
}

const SESSION_CHANNEL = "tessera-session";

function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.postMessage("ended");
  channel.close();
}

/** Goes to the log-in as soon as another tab of this browser has logged out. */
export function useCrossTabLogout(): void {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(SESSION_CHANNEL);
    channel.addEventListener("message", () => client.setQueryData(SESSION_KEY, null));
    return () => channel.close();
  }, [client]);
}

/** The browsers where the member is logged in. */
export const useSessions = () => useQuery({ queryKey: SESSIONS_KEY, queryFn: ({ signal }) => tessera.people.sessions({ signal }) });
