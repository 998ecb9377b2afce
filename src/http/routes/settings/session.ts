import type { FastifyReply, FastifyRequest } from "fastify";
import { claimInstall } from "#service/people/claim.ts";
import { acceptInvitation, lookAtInvitation } from "#service/people/members.ts";
import {
  type Entrance,
  type MemberActor,
  SESSION_MS,
  authenticateMember,
  changePassword,
  endSession,
  listSessions,
  logIn,
  readMember,
  requireMemberActor,
} from "#service/people/sessions.ts";
import { attempt, runAttempt } from "../../auth/log-in-attempt.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../../route.ts";
import { presentInvitationLook, presentMember, presentOwnBusiness, presentSession } from "../../wire/people-presenters.ts";
import { OUTPUTS } from "../../wire/outputs.ts";
import { PEOPLE_INPUTS, PEOPLE_OUTPUTS } from "../../wire/people-schemas.ts";

const TAG = "People";
const agentOf = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

/** Log-in, the way in by a link, and what is a member's own. */
export function sessionRoutes(): AnyRoute[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/settings/claim",
      tag: TAG,
      summary: "Become the first owner, by the link that the first start printed",
      isPublic: true,
      body: PEOPLE_INPUTS.claim,
      response: PEOPLE_OUTPUTS.entrance,
      guard: () => null,
      async handle({ deps, body, request, reply }) {
        const entrance = await attempt(deps, request, null, () => claimInstall(deps, { ...body, agent: agentOf(request) }));
        return enter(deps, request, reply, entrance);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/session",
      tag: TAG,
      summary: "Log in",
      description: "Sets a cookie with which a browser may call everything that the member's role allows.",
      isPublic: true,
      body: PEOPLE_INPUTS.logIn,
      response: PEOPLE_OUTPUTS.entrance,
      guard: () => null,
      async handle({ deps, body, request, reply }) {
        const entrance = await attempt(deps, request, body.email, () => logIn(deps, { ...body, agent: agentOf(request) }));
        return enter(deps, request, reply, entrance);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/invitations/look",
      tag: TAG,
      summary: "What an invitation is for",
      isPublic: true,
      body: PEOPLE_INPUTS.look,
      response: PEOPLE_OUTPUTS.look,
      guard: () => null,
      async handle({ deps, body, request }) {
        const { invitation, businessName } = await attempt(deps, request, null, () => lookAtInvitation(deps, body.token));
        return { invitation: presentInvitationLook(invitation), business: { name: businessName } };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/invitations/accept",
      tag: TAG,
      summary: "Become a member, by an invitation's link",
      isPublic: true,
      body: PEOPLE_INPUTS.accept,
      response: PEOPLE_OUTPUTS.entrance,
      guard: () => null,
      async handle({ deps, body, request, reply }) {
        const entrance = await attempt(deps, request, null, () => acceptInvitation(deps, { ...body, agent: agentOf(request) }));
        return enter(deps, request, reply, entrance);
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/session",
      tag: TAG,
      summary: "Who is logged in",
      isMembersOnly: true,
      response: PEOPLE_OUTPUTS.session,
      guard: (_deps, actor) => requireMemberActor(actor),
      async handle({ deps, authorized: actor }) {
        const [member, business] = await Promise.all([readMember(deps, actor), deps.store.boards.business(actor.businessId)]);
        return {
          member: presentMember(member),
          business: presentOwnBusiness(actor.businessId, business),
          session: { id: actor.sessionId },
          limits: { fileBytes: deps.limits.fileBytes },
        };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/settings/session",
      tag: TAG,
      summary: "Log out",
      isMembersOnly: true,
      response: OUTPUTS.ok,
      guard: (_deps, actor) => requireMemberActor(actor),
      async handle({ deps, authorized: actor, reply }) {
        return leave(deps, actor, actor.sessionId, reply);
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/sessions",
      tag: TAG,
      summary: "Browsers where you are logged in",
      isMembersOnly: true,
      response: PEOPLE_OUTPUTS.sessions,
      guard: (_deps, actor) => requireMemberActor(actor),
      async handle({ deps, authorized: actor }) {
        return { sessions: (await listSessions(deps, actor)).map((session) => presentSession(session, actor.sessionId)) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/settings/sessions/:sessionId",
      tag: TAG,
      summary: "Log out elsewhere",
      isMembersOnly: true,
      response: OUTPUTS.ok,
      guard: (_deps, actor, { sessionId = "" }) => ({ actor: requireMemberActor(actor), sessionId }),
      async handle({ deps, authorized: { actor, sessionId }, reply }) {
        return leave(deps, actor, sessionId, reply);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/password",
      tag: TAG,
      summary: "Change your password",
      description: "Ends your other sessions.",
      isMembersOnly: true,
      body: PEOPLE_INPUTS.password,
      response: OUTPUTS.ok,
      guard: (_deps, actor) => requireMemberActor(actor),
      async handle({ deps, authorized: actor, body }) {
        // By the session, which is a count of its own: neither do failed log-ins hold it up, nor does it hold up a log-in.
        const attempter = { email: actor.email, network: "", device: `session ${actor.sessionId}` };
        const passwords = { current: body.current_password, next: body.new_password };
        await runAttempt(deps, attempter, () => changePassword(deps, actor, passwords));
        deps.live.endOf((one) => one.memberId === actor.memberId && one.sessionId !== actor.sessionId);
        return { ok: true };
      },
    }),
  ];
}

/** Ends a session of the member; the caller's own is taken out of its browser as well. */
async function leave(deps: HttpDeps, actor: MemberActor, sessionId: string, reply: FastifyReply): Promise<object> {
  await endSession(deps, actor, sessionId);
  deps.live.endOf((one) => one.sessionId === sessionId);
  if (sessionId === actor.sessionId) {
    deps.sessionCookie.clear(reply);
    // The browser keeps listings to ask whether they still hold; whoever uses it next must not find them.
    reply.header("Clear-Site-Data", '"cache"');
  }
  return { ok: true };
}

/** Sets the cookies. A session that this browser had before ends with it. */
async function enter(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply, { member, token }: Entrance): Promise<object> {
  const earlier = deps.sessionCookie.read(request);
  const before = earlier === undefined ? null : await authenticateMember(deps, earlier);
  if (before !== null) {
    await deps.store.people.endSession(before.businessId, before.memberId, before.sessionId);
    deps.live.endOf((one) => one.sessionId === before.sessionId);
  }
  deps.sessionCookie.set(reply, token, SESSION_MS / 1_000);
  deps.deviceCookie.set(request, reply, member.email);
  const business = await deps.store.boards.business(member.businessId);
  return { member: presentMember(member), business: presentOwnBusiness(member.businessId, business) };
}
