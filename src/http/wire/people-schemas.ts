import { type TProperties, Type } from "typebox";
import { MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH, ROLES } from "#domain/settings/member.ts";
import { CALLER_LIMITS } from "./outputs.ts";

/** Longer than any address or token can be, and short enough to be read at leisure. */
const MAX_ADDRESS_LENGTH = 254;
const MAX_TOKEN_LENGTH = 100;

const object = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });
const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, with milliseconds." });
const timeOrNull = Type.Unsafe<unknown>({ type: ["string", "null"], format: "date-time" });
const role = Type.Unsafe<(typeof ROLES)[number]>({
  type: "string",
  enum: [...ROLES],
  description: "owner: everything. admin: boards, keys and people. member: content.",
});
const email = Type.String({
  maxLength: MAX_ADDRESS_LENGTH,
  "x-blank": "refused",
  description: "An e-mail address; upper and lower case are the same.",
});
const secret = (description: string) => Type.String({ maxLength: MAX_PASSWORD_LENGTH, "x-blank": "refused", description });
const newPassword = secret(`The password: ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`);
const token = Type.String({ maxLength: MAX_TOKEN_LENGTH, "x-blank": "refused", description: "What stands after # in the link." });

const member = object({ id: Type.String(), email: Type.String(), role, lastSeenAt: timeOrNull, createdAt: time });
const business = object({ id: Type.String(), name: Type.String() });
const invitation = object({ id: Type.String(), email: Type.String(), role, createdBy: Type.String(), createdAt: time, expiresAt: time });

/** The request schemas of people. */
export const PEOPLE_INPUTS = {
  claim: object({ token, email, password: newPassword }),
  logIn: object({ email, password: secret("The password.") }),
  look: object({ token }),
  accept: object({ token, password: newPassword }),
  password: object({ current_password: secret("The password until now."), new_password: newPassword }),
  role: object({ role }),
  invite: object({ email, role: Type.Optional(role) }),
};

/** The answers' schemas of people. */
export const PEOPLE_OUTPUTS = {
  entrance: object({ member, business }),
  session: object({ member, business, session: object({ id: Type.String() }), limits: CALLER_LIMITS }),
  sessions: object({
    sessions: Type.Array(
      object({
        id: Type.String(),
        agent: Type.String({ description: "What the browser calls itself." }),
        createdAt: time,
        lastSeenAt: time,
        expiresAt: time,
        isCurrent: Type.Boolean(),
      }),
    ),
  }),
  member: object({ member }),
  members: object({ members: Type.Array(member) }),
  invitations: object({ invitations: Type.Array(invitation) }),
  invited: object({ invitation, link: Type.String({ description: "Shown this once: to be sent to the invited person." }) }),
  look: object({ invitation: object({ email: Type.String(), role, expiresAt: time }), business: object({ name: Type.String() }) }),
};
