import type { Role } from "@tessera/sdk";

export const ROLES: readonly { readonly id: Role; readonly name: string; readonly meaning: string }[] = [
  { id: "member", name: "Member", meaning: "Reads, asks and changes content." },
  { id: "admin", name: "Admin", meaning: "Also boards, API keys and people." },
  { id: "owner", name: "Owner", meaning: "Everything, the webhook and the owners too." },
];

export const getRoleName = (role: string): string => ROLES.find(({ id }) => id === role)?.name ?? role;
