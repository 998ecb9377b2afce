import type { Business } from "#domain/core/board.ts";
import type { Invitation, Member, Session } from "#domain/settings/member.ts";

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const presentMember = ({ id, email, role, lastSeenAt, createdAt }: Member): object => ({
  id,
  email,
  role,
  lastSeenAt: lastSeenAt === null ? null : iso(lastSeenAt),
  createdAt: iso(createdAt),
});

export const presentOwnBusiness = (id: string, business: Business | null): object => ({ id, name: business?.name ?? "" });

export const presentSession = ({ id, agent, createdAt, lastSeenAt, expiresAt }: Session, currentId: string): object => ({
  id,
  agent,
  createdAt: iso(createdAt),
  lastSeenAt: iso(lastSeenAt),
  expiresAt: iso(expiresAt),
  isCurrent: id === currentId,
});

export const presentInvitation = ({ id, email, role, createdBy, createdAt, expiresAt }: Invitation): object => ({
  id,
  email,
  role,
  createdBy,
  createdAt: iso(createdAt),
  expiresAt: iso(expiresAt),
});

/** What the holder of the link may know of it. */
export const presentInvitationLook = ({ email, role, expiresAt }: Invitation): object => ({ email, role, expiresAt: iso(expiresAt) });
