import type { Role } from "#domain/core/access.ts";
import { conflict } from "#domain/core/error.ts";
import type { Invitation, Member, Session } from "#domain/settings/member.ts";

export const MEMBER_COLUMNS = "business_id, id, email, role, last_seen_at, created_at, updated_at";
export const SESSION_COLUMNS = "business_id, id, member_id, agent, created_at, last_seen_at, expires_at";
export const INVITATION_COLUMNS = "business_id, id, email, role, created_by, created_at, expires_at";

export type MemberRow = {
  business_id: string;
  id: string;
  email: string;
  role: string;
  last_seen_at: number | null;
  created_at: number;
  updated_at: number;
};

export type SessionRow = {
  business_id: string;
  id: string;
  member_id: string;
  agent: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
};

export type InvitationRow = {
  business_id: string;
  id: string;
  email: string;
  role: string;
  created_by: string;
  created_at: number;
  expires_at: number;
};

export const memberOf = (row: MemberRow): Member => ({
  id: row.id,
  businessId: row.business_id,
  email: row.email,
  role: row.role as Role,
  lastSeenAt: row.last_seen_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  businessId: row.business_id,
  memberId: row.member_id,
  agent: row.agent,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
});

export const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  businessId: row.business_id,
  email: row.email,
  role: row.role as Role,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export const addressTaken = () => conflict("A member with this e-mail address exists already.");
export const lastOwner = () =>
  conflict("The last owner of a business can't be removed or given another role. Make another member an owner first.");
