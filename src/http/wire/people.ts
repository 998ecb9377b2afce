import { type Static, Type } from "typebox";
import type { Business } from "#domain/core/board.ts";
import { isoTime } from "#domain/core/system.ts";
import { type Invitation, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type Member, ROLES, type Session } from "#domain/settings/member.ts";
import type { SecretKeyState } from "#domain/settings/secret-key.ts";
import { type Output, choice, entity, isoOrNull, object, time, timeOrNull } from "./schema.ts";
import { CLIENT_LIMITS } from "./settings/api-key.ts";
import { EXAMPLE } from "./example.ts";

/** The longest e-mail address (RFC 5321). */
const MAX_ADDRESS_LENGTH = 254;
const MAX_TOKEN_LENGTH = 100;

const role = choice(ROLES, {
  title: "Role",
  description: "owner: full access. admin: boards, API keys and members. member: content.",
});

const MEMBER = entity(
  "Member",
  { id: Type.String(), email: Type.String(), role, lastSeenAt: timeOrNull, createdAt: time },
  { examples: [{ id: EXAMPLE.memberId, email: EXAMPLE.email, role: "owner", lastSeenAt: EXAMPLE.later, createdAt: EXAMPLE.created }] },
);
const BUSINESS = object({ id: Type.String(), name: Type.String() }, { examples: [{ id: EXAMPLE.businessId, name: "Harbour museum" }] });
const invitationFields = { email: Type.String(), role, expiresAt: time };
const PREVIEW_EXAMPLE = { email: "grace@example.com", role: "member", expiresAt: EXAMPLE.later };
const INVITATION = entity(
  "Invitation",
  { id: Type.String(), ...invitationFields, createdBy: Type.String(), createdAt: time },
  { examples: [{ id: EXAMPLE.invitationId, ...PREVIEW_EXAMPLE, createdBy: EXAMPLE.memberId, createdAt: EXAMPLE.created }] },
);
const INVITATION_PREVIEW = object(invitationFields, { examples: [PREVIEW_EXAMPLE] });
const sessionFields = {
  id: Type.String(),
  agent: Type.String({ description: "The User-Agent header of the browser." }),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  isCurrent: Type.Boolean(),
};
const SESSION = entity("Session", sessionFields, {
  examples: [
    {
      id: EXAMPLE.sessionId,
      agent: "Mozilla/5.0 (X11; Linux x86_64)",
      createdAt: EXAMPLE.created,
      lastSeenAt: EXAMPLE.created,
      expiresAt: EXAMPLE.later,
      isCurrent: true,
    },
  ],
});

/** What an owner has to ask the operator for. */
const operatorNotice = choice(["secret_key_lost", "secret_key_changed"], {
  title: "OperatorNotice",
  description:
    "Present for owners while the server has no secret key, or another one than before: webhooks wait until the operator starts it with the right key, or the webhook is set again. New values may be added.",
});

export const PEOPLE_RESPONSES = {
  loggedIn: entity("LoggedIn", { member: MEMBER, business: BUSINESS }),
  session: entity("Login", {
    member: MEMBER,
    business: BUSINESS,
    session: object({ id: Type.String({ examples: [EXAMPLE.sessionId] }) }),
    limits: CLIENT_LIMITS,
    operatorNotice: Type.Optional(operatorNotice),
  }),
  sessions: object({ sessions: Type.Array(SESSION) }),
  member: object({ member: MEMBER }),
  members: object({ members: Type.Array(MEMBER) }),
  invitations: object({ invitations: Type.Array(INVITATION) }),
  invited: object({
    invitation: INVITATION,
    link: Type.String({
      description: "The link to send to the invited person. It is shown only once.",
      examples: ["https://tessera.example.com/join#tsj_Vd1qfE0"],
    }),
  }),
  invitationPreview: entity("InvitationPreview", {
    invitation: INVITATION_PREVIEW,
    business: object({ name: Type.String({ examples: ["Harbour museum"] }) }),
  }),
};

export const presentMember = ({ id, email, role: held, lastSeenAt, createdAt }: Member): Output<typeof MEMBER> => ({
  id,
  email,
  role: held,
  lastSeenAt: isoOrNull(lastSeenAt),
  createdAt: isoTime(createdAt),
});

export const presentKeyNotice = (state: SecretKeyState): { readonly operatorNotice?: Static<typeof operatorNotice> } =>
  state === "ok" ? {} : { operatorNotice: `secret_key_${state}` };

export const presentBusiness = (id: string, business: Business | null): Output<typeof BUSINESS> => ({ id, name: business?.name ?? "" });

export const presentSession = (session: Session, currentId: string): Output<typeof SESSION> => ({
  id: session.id,
  agent: session.agent,
  createdAt: isoTime(session.createdAt),
  lastSeenAt: isoTime(session.lastSeenAt),
  expiresAt: isoTime(session.expiresAt),
  isCurrent: session.id === currentId,
});

export const presentInvitation = (invitation: Invitation): Output<typeof INVITATION> => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  createdBy: invitation.createdBy,
  createdAt: isoTime(invitation.createdAt),
  expiresAt: isoTime(invitation.expiresAt),
});

/** What the invited person sees before accepting. */
export const presentInvitationPreview = ({ email, role: offered, expiresAt }: Invitation): Output<typeof INVITATION_PREVIEW> => ({
  email,
  role: offered,
  expiresAt: isoTime(expiresAt),
});

const email = Type.String({
  maxLength: MAX_ADDRESS_LENGTH,
  "x-blank": "refused",
  description: "An e-mail address. Case is ignored.",
  examples: [EXAMPLE.email],
});
const passwordInput = (description: string) =>
  Type.String({ maxLength: MAX_PASSWORD_LENGTH, "x-blank": "refused", description, examples: ["correct horse battery staple"] });
const newPassword = passwordInput(`The password: ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`);
const token = Type.String({
  maxLength: MAX_TOKEN_LENGTH,
  "x-blank": "refused",
  description: "The part of the link after #.",
  examples: ["tsj_Vd1qfE0"],
});

export const PEOPLE_INPUTS = {
  firstOwner: object({ token, email, password: newPassword }),
  logIn: object({ email, password: passwordInput("The password.") }),
  invitationToken: object({ token }),
  acceptInvitation: object({ token, password: newPassword }),
  changePassword: object({ current_password: passwordInput("The current password."), new_password: newPassword }),
  changeRole: object({ role }),
  invite: object({ email, role: Type.Optional(role) }),
};
