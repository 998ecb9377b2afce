import type { CallOptions, CreateOptions, Send } from "./transport/transport.ts";
import type { Open } from "./types.ts";

export type Role = "owner" | "admin" | "member";

/** Somebody who logs in. Times are ISO 8601. */
export type Member = {
  readonly id: string;
  readonly email: string;
  readonly role: Open<Role>;
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
};

/** Who is logged in by the cookie that went with the call. */
export type LoggedIn = { readonly member: Member; readonly business: { readonly id: string; readonly name: string } };
export type Login = LoggedIn & {
  readonly session: { readonly id: string };
  readonly limits: {
    /** The largest file that can be uploaded, in bytes. */
    readonly fileBytes: number;
  };
};

/** A browser where somebody is logged in. */
export type Session = {
  readonly id: string;
  /** What the browser calls itself. */
  readonly agent: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly isCurrent: boolean;
};

export type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: Open<Role>;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
};

/** What an invitation's link says before it is accepted. */
export type InvitationLook = {
  readonly invitation: Pick<Invitation, "email" | "role" | "expiresAt">;
  readonly business: { readonly name: string };
};

type Invited = { readonly invitation: Invitation; readonly link: string };

/** Sessions live in a cookie, so these are for pages that the service itself serves; a key gets 403. */
export function peopleMethods(send: Send) {
  const path = (...rest: readonly string[]): string[] => ["api", "settings", ...rest];
  return {
    /** Makes the first owner by the link that the first start printed, and logs in. 404 when the link is used up. */
    claim: async (input: { readonly token: string; readonly email: string; readonly password: string }): Promise<LoggedIn> =>
      loggedIn(await send<LoggedIn>("POST", path("claim"), { body: input })),

    logIn: async (input: { readonly email: string; readonly password: string }): Promise<LoggedIn> =>
      loggedIn(await send<LoggedIn>("POST", path("session"), { body: input })),

    logOut: async (): Promise<void> => {
      await send("DELETE", path("session"));
    },

    /** Who is logged in; 401 when nobody is. */
    session: async (call: CallOptions = {}): Promise<Login> => {
      const { session, limits, ...rest } = await send<Login>("GET", path("session"), call);
      return { ...loggedIn(rest), session, limits };
    },

    /** What a link to join is for; 404 when it is used up. */
    lookAtInvitation: async (token: string, call: CallOptions = {}): Promise<InvitationLook> => {
      const { invitation, business } = await send<InvitationLook>("POST", path("invitations", "look"), { ...call, body: { token } });
      return { invitation, business };
    },

    /** Becomes a member by a link, and logs in. */
    acceptInvitation: async (input: { readonly token: string; readonly password: string }): Promise<LoggedIn> =>
      loggedIn(await send<LoggedIn>("POST", path("invitations", "accept"), { body: input })),

    sessions: async (call: CallOptions = {}): Promise<readonly Session[]> =>
      (await send<{ readonly sessions: readonly Session[] }>("GET", path("sessions"), call)).sessions,

    endSession: async (sessionId: string): Promise<void> => {
      await send("DELETE", path("sessions", sessionId));
    },

    /** Ends every other session of the member. */
    changePassword: async (input: { readonly currentPassword: string; readonly newPassword: string }): Promise<void> => {
      await send("POST", path("password"), { body: { current_password: input.currentPassword, new_password: input.newPassword } });
    },

    members: async (call: CallOptions = {}): Promise<readonly Member[]> =>
      (await send<{ readonly members: readonly Member[] }>("GET", path("members"), call)).members,

    /** Owners only. */
    setRole: async (memberId: string, role: Role): Promise<Member> =>
      (await send<{ readonly member: Member }>("PATCH", path("members", memberId), { body: { role } })).member,

    /** 409 for the last owner. */
    removeMember: async (memberId: string): Promise<void> => {
      await send("DELETE", path("members", memberId));
    },

    invitations: async (call: CallOptions = {}): Promise<readonly Invitation[]> =>
      (await send<{ readonly invitations: readonly Invitation[] }>("GET", path("invitations"), call)).invitations,

    /** `link` is shown this once. */
    invite: async (input: { readonly email: string; readonly role: Role }, call: CreateOptions = {}): Promise<Invited> => {
      const { invitation, link } = await send<Invited>("POST", path("invitations"), { ...call, body: input });
      return { invitation, link };
    },

    withdrawInvitation: async (invitationId: string): Promise<void> => {
      await send("DELETE", path("invitations", invitationId));
    },
  };
}

const loggedIn = ({ member, business }: LoggedIn): LoggedIn => ({ member, business });
