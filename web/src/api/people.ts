import { useQuery } from "@tanstack/react-query";
import { tessera } from "./client/client.ts";
import { INVITATIONS_KEY, MEMBERS_KEY } from "./query-keys.ts";

/** The members of the business. Requires the role admin or owner. */
export const useMembers = () => useQuery({ queryKey: MEMBERS_KEY, queryFn: ({ signal }) => tessera.people.members({ signal }) });

/** Invitations that were not accepted yet. Requires the role admin or owner. */
export const useInvitations = () =>
  useQuery({ queryKey: INVITATIONS_KEY, queryFn: ({ signal }) => tessera.people.invitations({ signal }) });
