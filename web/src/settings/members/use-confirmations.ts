import type { Invitation, Member, Role } from "@tessera-board/sdk";
import { tessera } from "../../api/client/client.ts";
import { INVITATIONS_KEY, MEMBERS_KEY, SESSION_KEY } from "../../api/query-keys.ts";
import type { Confirmation } from "../parts/confirm-action.tsx";
import { useSettingsMutation } from "../../api/settings.ts";
import { getRoleName, withArticle } from "./roles.ts";

/** The actions on members and invitations; each asks for confirmation by `show`. `myId` is the current member. */
export function useConfirmations(myId: string, show: (confirmation: Confirmation) => void) {
  const setRole = useSettingsMutation(
    ({ id, role }: { readonly id: string; readonly role: Role }) => tessera.people.setRole(id, role),
    [MEMBERS_KEY, SESSION_KEY],
  );
  const remove = useSettingsMutation(tessera.people.removeMember, [MEMBERS_KEY]);
  const revoke = useSettingsMutation(tessera.people.revokeInvitation, [INVITATIONS_KEY]);
  return {
    roleChange: ({ id, email }: Member, role: Role): void =>
      show({
        title: `Make ${email} ${withArticle(role)}?`,
        text:
          id === myId
            ? "This changes your own permissions. You must log in again."
            : "They are logged out, so that the new role takes effect immediately.",
        action: `Make ${getRoleName(role)}`,
        run: () => setRole.mutateAsync({ id, role }),
        done: `${email} is now ${withArticle(role)}.`,
      }),
    removal: ({ id, email }: Member): void =>
      show({
        title: id === myId ? "Leave this business?" : `Remove ${email}?`,
        text:
          id === myId
            ? "You are logged out everywhere immediately. To return, you need an invitation."
            : "They are logged out everywhere immediately. Their content and their API keys stay. To return, they need a new invitation.",
        action: id === myId ? "Leave" : "Remove",
        run: () => remove.mutateAsync(id),
        done: `${email} removed.`,
      }),
    revocation: ({ id, email }: Invitation): void =>
      show({
        title: `Revoke the invitation for ${email}?`,
        text: "Its link stops working immediately.",
        action: "Revoke",
        run: () => revoke.mutateAsync(id),
        done: "Invitation revoked.",
      }),
  };
}
