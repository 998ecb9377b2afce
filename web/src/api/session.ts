import { type LoggedIn, type Login, TesseraError } from "@tessera-board/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect } from "react";
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

/** Whether the install has an owner; undefined while that is not known. */
export const useHasOwner = () =>
  useQuery({
    queryKey: ["has owner"],
    queryFn: async ({ signal }): Promise<boolean> => {
      try {
        await tessera.people.session({ signal });
        return true;
      } catch (error) {
        return !(error instanceof TesseraError && error.code === "owner_missing");
      }
    },
  });

/** The current login, or null if nobody is logged in. */
export const useSession = () => useQuery(SESSION_QUERY);

/**
 * The member whose login renders the page, set by the component that requires it. A component that asked for the session itself could
 * see that it has ended before that component redirects.
 */
export const MemberContext = createContext<Login["member"] | null>(null);

/** The current member. Use it only on pages that require a login. */
export function useMember(): Login["member"] & { readonly canAdminister: boolean; readonly isOwner: boolean } {
  const member = useContext(MemberContext);
  if (member === null) throw new Error("This page requires a login.");
  const { role } = member;
  return { ...member, canAdminister: role === "owner" || role === "admin", isOwner: role === "owner" };
}

export const useLogIn = () => useAuthMutation(tessera.people.logIn);
/** Creates the owner account with the one-time link that the first start printed. */
export const useCreateOwner = () => useAuthMutation(tessera.people.claim);
/** Accepts an invitation. */
export const useJoin = () => useAuthMutation(tessera.people.acceptInvitation);

function useAuthMutation<Input>(enter: (input: Input) => Promise<LoggedIn>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: enter,
    meta: QUIET,
    // The cookie is new: data that another member loaded must not be shown.
    onSuccess: async () => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
      await client.fetchQuery({ ...SESSION_QUERY, staleTime: 0 });
    },
  });
}

/** The invitation that a link belongs to. */
export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => tessera.people.getInvitation(token, { signal }),
    enabled: token !== "",
    staleTime: Infinity,
    retry: false,
  });

/** `leave` navigates away first, so that the next login does not return to the current page. */
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

/** Remembers in this tab that a member is logged in. */
function rememberLogin(isLoggedIn: boolean): void {
  try {
    if (isLoggedIn) sessionStorage.setItem(LOGGED_IN_ITEM, "yes");
    else sessionStorage.removeItem(LOGGED_IN_ITEM);
  } catch {
    // Without storage, the login page cannot tell that a session ended.
  }
}

/** Whether a session of this tab ended without a log-out here: it expired, was revoked, or another tab logged out. */
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

/** Shows the login page when another tab of this browser logs out. */
export function useCrossTabLogout(): void {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(SESSION_CHANNEL);
    channel.addEventListener("message", () => client.setQueryData(SESSION_KEY, null));
    return () => channel.close();
  }, [client]);
}

/** The member's sessions: the browsers that are logged in. */
export const useSessions = () => useQuery({ queryKey: SESSIONS_KEY, queryFn: ({ signal }) => tessera.people.sessions({ signal }) });
