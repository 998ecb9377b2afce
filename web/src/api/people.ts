import { useQuery } from "@tanstack/react-query";
import { tessera } from "./client/client.ts";
import { INVITATIONS_KEY, MEMBERS_KEY } from "./query-keys.ts";

/** Who may log in; for admins and owners. */
export const useMembers = () => useQuery({ queryKey: MEMBERS_KEY, queryFn: ({ signal }) => tessera.people.members({ signal }) });

/** Links to join that nobody has used yet; for admins and owners. */
export const useInvitations = () =>
  useQuery({ queryKey: INVITATIONS_KEY, queryFn: ({ signal }) => tessera.people.invitations({ signal }) });
