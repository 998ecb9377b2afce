import type { Invitation, InvitationPreview, LoggedIn, Login, Member, Role, Session } from "../generated/schemas.ts";
import type { BodyOf } from "../transport/operation.ts";
import type { CallOptions, CreateOptions, Send } from "../transport/transport.ts";

/** Log-in, members and invitations, for pages that the server itself serves: the session is a cookie. API keys get 403. */
export interface PeopleMethods {
  /** Creates the owner account with the link that the first start printed, and logs in. 404 if the link was used. */
  claim(body: BodyOf<"POST /api/settings/claim">): Promise<LoggedIn>;

  /** Logs in. 401 if the address or the password is wrong. */
  logIn(body: BodyOf<"POST /api/settings/session">): Promise<LoggedIn>;

  /** Ends the current session. */
  logOut(): Promise<void>;

  /** The current session. 401 if there is none. */
  session(call?: CallOptions): Promise<Login>;

  /** The sessions of the member, in all browsers. */
  sessions(call?: CallOptions): Promise<readonly Session[]>;

  /** Logs another browser of the member out. */
  endSession(sessionId: string): Promise<void>;

  /** Ends every other session of the member. */
  changePassword(body: BodyOf<"POST /api/settings/password">): Promise<void>;

  /** The members of the business. */
  members(call?: CallOptions): Promise<readonly Member[]>;

  /** Owners only. */
  setRole(memberId: string, role: Role): Promise<Member>;

  /** The last owner can't be removed (409). */
  removeMember(memberId: string): Promise<void>;

  /** What an invitation link is for. 404 if it was used. */
  getInvitation(token: string, call?: CallOptions): Promise<InvitationPreview>;

  /** Creates an account with an invitation link, and logs in. */
  acceptInvitation(body: BodyOf<"POST /api/settings/invitations/accept">): Promise<LoggedIn>;

  /** The invitations that were not accepted yet. */
  invitations(call?: CallOptions): Promise<readonly Invitation[]>;

  /** `link` is returned only once. */
  invite(input: InvitationInput, call?: CreateOptions): Promise<{ readonly invitation: Invitation; readonly link: string }>;

  /** Makes the link of an invitation invalid. */
  revokeInvitation(invitationId: string): Promise<void>;
}

export type InvitationInput = { readonly email: string; readonly role: Role };

type SessionNames = "claim" | "logIn" | "logOut" | "session" | "sessions" | "endSession" | "changePassword";
type MemberNames = "members" | "setRole" | "removeMember";

export function peopleMethods(send: Send): PeopleMethods {
  return { ...sessionMethods(send), ...memberMethods(send), ...invitationMethods(send) };
}

function sessionMethods(send: Send): Pick<PeopleMethods, SessionNames> {
  return {
    claim: async (body) => readLogIn(await send("POST /api/settings/claim", { body })),

    logIn: async (body) => readLogIn(await send("POST /api/settings/session", { body })),

    logOut: async () => {
      await send("DELETE /api/settings/session", {});
    },

    session: async (call = {}) => {
      const { session, limits, operatorNotice, ...rest } = await send("GET /api/settings/session", call);
      return { ...readLogIn(rest), session, limits, ...(operatorNotice === undefined ? {} : { operatorNotice }) };
    },

    sessions: async (call = {}) => (await send("GET /api/settings/sessions", call)).sessions,

    endSession: async (sessionId) => {
      await send("DELETE /api/settings/sessions/{sessionId}", { path: { sessionId } });
    },

    changePassword: async (body) => {
      await send("POST /api/settings/password", { body });
    },
  };
}

function memberMethods(send: Send): Pick<PeopleMethods, MemberNames> {
  return {
    members: async (call = {}) => (await send("GET /api/settings/members", call)).members,

    setRole: async (memberId, role) =>
      (await send("PATCH /api/settings/members/{memberId}", { path: { memberId }, body: { role } })).member,

    removeMember: async (memberId) => {
      await send("DELETE /api/settings/members/{memberId}", { path: { memberId } });
    },
  };
}

function invitationMethods(send: Send): Omit<PeopleMethods, SessionNames | MemberNames> {
  return {
    getInvitation: async (token, call = {}) => {
      const { invitation, business } = await send("POST /api/settings/invitations/look", { ...call, body: { token } });
      return { invitation, business };
    },

    acceptInvitation: async (body) => readLogIn(await send("POST /api/settings/invitations/accept", { body })),

    invitations: async (call = {}) => (await send("GET /api/settings/invitations", call)).invitations,

    invite: async (input, call = {}) => {
      const { invitation, link } = await send("POST /api/settings/invitations", { ...call, body: input });
      return { invitation, link };
    },

    revokeInvitation: async (invitationId) => {
      await send("DELETE /api/settings/invitations/{invitationId}", { path: { invitationId } });
    },
  };
}

const readLogIn = ({ member, business }: LoggedIn): LoggedIn => ({ member, business });
