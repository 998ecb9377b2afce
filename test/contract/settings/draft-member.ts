import type { Business } from "#domain/core/board.ts";
import { type NewMember, type NewSession, newToken } from "#domain/settings/member.ts";
import { newId } from "#domain/core/system.ts";
import { T0 } from "../../support/boards.ts";

export const DAY = 86_400_000;

export const draftMember = ({ id }: Pick<Business, "id">, email: string, more: Partial<NewMember> = {}): NewMember => ({
  id: newId("mem", T0),
  businessId: id,
  email,
  role: "member",
  password: "hashed",
  createdAt: T0,
  ...more,
});

export const draftSession = (more: Partial<NewSession> = {}) => ({
  id: newId("ses", T0),
  hash: newToken("s").hash,
  agent: "A browser",
  createdAt: T0,
  lastSeenAt: T0,
  expiresAt: T0 + DAY,
  ...more,
});
