import type { Role } from "@tessera-board/sdk";

export type SectionId =
  | "boards"
  | "keys"
  | "inbound"
  | "webhook"
  | "members"
  | "account"
  | "model"
  | "audit"
  | "data"
  | "backups"
  | "recipes";

export type Section = {
  readonly id: SectionId;
  readonly name: string;
  /** The minimum role that sees the section. Sections for owners explain that on their own page. */
  readonly minRole: Role;
};

/** In the order of the navigation. */
export const SECTIONS: readonly Section[] = [
  { id: "boards", name: "Boards", minRole: "member" },
  { id: "keys", name: "API keys", minRole: "admin" },
  { id: "inbound", name: "Inbound addresses", minRole: "member" },
  { id: "webhook", name: "Webhook", minRole: "admin" },
  { id: "recipes", name: "Recipes", minRole: "member" },
  { id: "members", name: "Members", minRole: "admin" },
  { id: "model", name: "Language model", minRole: "admin" },
  { id: "data", name: "Data", minRole: "admin" },
  { id: "backups", name: "Backups", minRole: "admin" },
  { id: "audit", name: "Audit log", minRole: "admin" },
  { id: "account", name: "Account", minRole: "member" },
];

const RANK: Readonly<Record<string, number>> = { member: 1, admin: 2, owner: 3 };

/** Whether a role includes another. */
export const hasRole = (role: string, minRole: Role): boolean => (RANK[role] ?? 1) >= (RANK[minRole] ?? 1);

export const sectionPath = (id: SectionId): string => `/settings/${id}`;
