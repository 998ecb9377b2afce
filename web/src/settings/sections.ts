import type { Role } from "@tessera/sdk";

export type SectionId = "boards" | "keys" | "webhook" | "members" | "account" | "model" | "audit" | "data" | "backups" | "recipes";

export type Section = {
  readonly id: SectionId;
  readonly name: string;
  /** Who sees it; what is for owners alone tells the others so on its own page. */
  readonly least: Role;
};

/** In the order of the navigation. */
export const SECTIONS: readonly Section[] = [
  { id: "boards", name: "Boards", least: "member" },
  { id: "keys", name: "API keys", least: "admin" },
  { id: "webhook", name: "Webhook", least: "admin" },
  { id: "recipes", name: "Recipes", least: "member" },
  { id: "members", name: "Members", least: "admin" },
  { id: "model", name: "Language model", least: "admin" },
  { id: "data", name: "Data", least: "admin" },
  { id: "backups", name: "Backups", least: "admin" },
  { id: "audit", name: "Audit log", least: "admin" },
  { id: "account", name: "Account", least: "member" },
];

const RANK: Readonly<Record<string, number>> = { member: 1, admin: 2, owner: 3 };

/** Whether a role includes another. */
export const isAtLeast = (role: string, least: Role): boolean => (RANK[role] ?? 1) >= (RANK[least] ?? 1);

export const sectionPath = (id: SectionId): string => `/settings/${id}`;
