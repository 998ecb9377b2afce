import type { Role } from "@tessera-board/sdk";

export const ROLE_CHOICES: readonly { readonly id: Role; readonly name: string; readonly meaning: string }[] = [
  { id: "member", name: "Member", meaning: "Can read, ask and change content." },
  { id: "admin", name: "Admin", meaning: "Can also manage boards, API keys and members." },
  { id: "owner", name: "Owner", meaning: "Can do everything, including the webhook, backups and owners." },
];

export const getRoleName = (role: string): string => ROLE_CHOICES.find(({ id }) => id === role)?.name ?? role;

/** The role with its article, such as "an admin". */
export const withArticle = (role: Role): string => (role === "member" ? "a member" : `an ${role}`);
