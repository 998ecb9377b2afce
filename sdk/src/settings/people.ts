import type { Invitation, InvitationPreview, LoggedIn, Login, Member, Role, Session } from "../generated/schemas.ts";
import type { BodyOf } from "../transport/operation.ts";
import type { CallOptions, CreateOptions, Send } from "../transport/transport.ts";

/** For pages that the server itself serves: the session is a cookie. API keys get 403. */
export function peopleMethods(send: Send) {
  return { ...sessionMethods(send), ...memberMethods(send), ...invitationMethods(send) };
}

function sessionMethods(send: Send) {
  return {
    /** Creates the owner account with the link that the first start printed, and logs in. 404 if the link was used. */
    claim: async (body: BodyOf<"POST /api/settings/claim">): Promise<LoggedIn> =>
      loggedIn(await send("POST /api/settings/claim", { body })),

    logIn: async (body: BodyOf<"POST /api/settings/session">): Promise<LoggedIn> =>
      loggedIn(await send("POST /api/settings/session", { body })),

    logOut: async (): Promise<void> => {
      await send("DELETE /api/settings/session", {});
    },

    /** The current session. 401 if there is none. */
    session: async (call: CallOptions = {}): Promise<Login> => {
      const { session, limits, operatorNotice, ...rest } = await send("GET /api/settings/session", call);
      return { ...loggedIn(rest), session, limits, ...(operatorNotice === undefined ? {} : { operatorNotice }) };
    },

    sessions: async (call: CallOptions = {}): Promise<readonly Session[]> => (await send("GET /api/settings/sessions", call)).sessions,

    endSession: async (sessionId: string): Promise<void> => {
      await send("DELETE /api/settings/sessions/{sessionId}", { path: { sessionId } });
    },

    /** Ends every other session of the member. */
    changePassword: async (body: BodyOf<"POST /api/settings/password">): Promise<void> => {
      await send("POST /api/settings/password", { body });
    },
  };
}

function memberMethods(send: Send) {
  return {
    members: async (call: CallOptions = {}): Promise<readonly Member[]> => (await send("GET /api/settings/members", call)).members,

    /** Owners only. */
    setRole: async (memberId: string, role: Role): Promise<Member> =>
      (await send("PATCH /api/settings/members/{memberId}", { path: { memberId }, body: { role } })).member,

    /** The last owner can't be removed (409). */
    removeMember: async (memberId: string): Promise<void> => {
      await send("DELETE /api/settings/members/{memberId}", { path: { memberId } });
    },
  };
}

function invitationMethods(send: Send) {
  return {
    /** What an invitation link is for. 404 if it was used. */
    getInvitation: async (token: string, call: CallOptions = {}): Promise<InvitationPreview> => {
      const { invitation, business } = await send("POST /api/settings/invitations/look", { ...call, body: { token } });
      return { invitation, business };
    },

    /** Creates an account with an invitation link, and logs in. */
    acceptInvitation: async (body: BodyOf<"POST /api/settings/invitations/accept">): Promise<LoggedIn> =>
      loggedIn(await send("POST /api/settings/invitations/accept", { body })),

    invitations: async (call: CallOptions = {}): Promise<readonly Invitation[]> =>
      (await send("GET /api/settings/invitations", call)).invitations,

    /** `link` is returned only once. */
    invite: async (
      input: { readonly email: string; readonly role: Role },
      call: CreateOptions = {},
    ): Promise<{ readonly invitation: Invitation; readonly link: string }> => {
      const { invitation, link } = await send("POST /api/settings/invitations", { ...call, body: input });
      return { invitation, link };
    },

    revokeInvitation: async (invitationId: string): Promise<void> => {
      await send("DELETE /api/settings/invitations/{invitationId}", { path: { invitationId } });
    },
  };
}

const loggedIn = ({ member, business }: LoggedIn): LoggedIn => ({ member, business });
