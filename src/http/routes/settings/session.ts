import type { FastifyReply, FastifyRequest } from "fastify";
import { setUpOwner } from "#service/people/first-run-setup.ts";
import { acceptInvitation, getInvitation } from "#service/people/members.ts";
import {
  type LogInResult,
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
import { runLogInAttempt, runThrottled } from "../../auth/log-in-attempt.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../../route.ts";
import {
  PEOPLE_INPUTS,
  PEOPLE_RESPONSES,
  presentBusiness,
  presentInvitationPreview,
  presentMember,
  presentSession,
} from "../../wire/people.ts";
import { OK } from "../../wire/schema.ts";

const TAG = "People";
const readUserAgent = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

const setUpRoute = defineRoute({
  method: "POST",
  path: "/api/settings/claim",
  tag: TAG,
  summary: "Create the owner account",
  description: "Requires the token of the link that the first start printed. Logs the owner in.",
  isPublic: true,
  body: PEOPLE_INPUTS.firstOwner,
  response: PEOPLE_RESPONSES.loggedIn,
  guard: () => null,
  async handle({ deps, body, request, reply }) {
    const entrance = await runLogInAttempt(deps, request, null, () => setUpOwner(deps, { ...body, agent: readUserAgent(request) }));
    return startSession(deps, request, reply, entrance);
  },
});

const logInRoute = defineRoute({
  method: "POST",
  path: "/api/settings/session",
  tag: TAG,
  summary: "Log in",
  description: "Sets a session cookie, which allows every call that the role of the member allows.",
  isPublic: true,
  body: PEOPLE_INPUTS.logIn,
  response: PEOPLE_RESPONSES.loggedIn,
  guard: () => null,
  async handle({ deps, body, request, reply }) {
    const entrance = await runLogInAttempt(deps, request, body.email, () => logIn(deps, { ...body, agent: readUserAgent(request) }));
    return startSession(deps, request, reply, entrance);
  },
});

const previewInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/settings/invitations/look",
  tag: TAG,
  summary: "Get an invitation by its token",
  isPublic: true,
  body: PEOPLE_INPUTS.invitationToken,
  response: PEOPLE_RESPONSES.invitationPreview,
  guard: () => null,
  async handle({ deps, body, request }) {
    const { invitation, businessName } = await runLogInAttempt(deps, request, null, () => getInvitation(deps, body.token));
    return { invitation: presentInvitationPreview(invitation), business: { name: businessName } };
  },
});

const acceptInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/settings/invitations/accept",
  tag: TAG,
  summary: "Accept an invitation",
  isPublic: true,
  body: PEOPLE_INPUTS.acceptInvitation,
  response: PEOPLE_RESPONSES.loggedIn,
  guard: () => null,
  async handle({ deps, body, request, reply }) {
    const entrance = await runLogInAttempt(deps, request, null, () => acceptInvitation(deps, { ...body, agent: readUserAgent(request) }));
    return startSession(deps, request, reply, entrance);
  },
});

const readSessionRoute = defineRoute({
  method: "GET",
  path: "/api/settings/session",
  tag: TAG,
  summary: "Get the current session",
  isMembersOnly: true,
  response: PEOPLE_RESPONSES.session,
  guard: (_deps, actor) => requireMemberActor(actor),
  async handle({ deps, authorized: actor }) {
    const [member, business] = await Promise.all([readMember(deps, actor), deps.store.boards.business(actor.businessId)]);
    return {
      member: presentMember(member),
      business: presentBusiness(actor.businessId, business),
      session: { id: actor.sessionId },
      limits: { fileBytes: deps.limits.fileBytes },
    };
  },
});

const logOutRoute = defineRoute({
  method: "DELETE",
  path: "/api/settings/session",
  tag: TAG,
  summary: "Log out",
  isMembersOnly: true,
  response: OK,
  guard: (_deps, actor) => requireMemberActor(actor),
  async handle({ deps, authorized: actor, reply }) {
    return endSessionOf(deps, actor, actor.sessionId, reply);
  },
});

const listSessionsRoute = defineRoute({
  method: "GET",
  path: "/api/settings/sessions",
  tag: TAG,
  summary: "List sessions",
  isMembersOnly: true,
  response: PEOPLE_RESPONSES.sessions,
  guard: (_deps, actor) => requireMemberActor(actor),
  async handle({ deps, authorized: actor }) {
    return { sessions: (await listSessions(deps, actor)).map((session) => presentSession(session, actor.sessionId)) };
  },
});

const endSessionRoute = defineRoute({
  method: "DELETE",
  path: "/api/settings/sessions/:sessionId",
  tag: TAG,
  summary: "End a session",
  isMembersOnly: true,
  response: OK,
  guard: (_deps, actor, { sessionId = "" }) => ({ actor: requireMemberActor(actor), sessionId }),
  async handle({ deps, authorized: { actor, sessionId }, reply }) {
    return endSessionOf(deps, actor, sessionId, reply);
  },
});

const changePasswordRoute = defineRoute({
  method: "POST",
  path: "/api/settings/password",
  tag: TAG,
  summary: "Change your password",
  description: "Ends your other sessions.",
  isMembersOnly: true,
  body: PEOPLE_INPUTS.changePassword,
  response: OK,
  guard: (_deps, actor) => requireMemberActor(actor),
  async handle({ deps, authorized: actor, body }) {
    // Attempts are counted per session, so that failed log-ins and password changes do not throttle each other.
    const attempter = { email: actor.email, network: "", device: `session ${actor.sessionId}` };
    const passwords = { current: body.current_password, next: body.new_password };
    await runThrottled(deps, attempter, () => changePassword(deps, actor, passwords));
    deps.live.closeFor((one) => one.memberId === actor.memberId && one.sessionId !== actor.sessionId);
    return { ok: true };
  },
});

/** Ends a session of the member. If it is the session of this call, the browser also deletes its cookie and its cache. */
async function endSessionOf(deps: HttpDeps, actor: MemberActor, sessionId: string, reply: FastifyReply): Promise<object> {
  await endSession(deps, actor, sessionId);
  deps.live.closeFor((one) => one.sessionId === sessionId);
  if (sessionId === actor.sessionId) {
    deps.sessionCookie.clear(reply);
    // The next user of this browser must not find cached listings.
    reply.header("Clear-Site-Data", '"cache"');
  }
  return { ok: true };
}

/** Sets the cookies, and ends the session that this browser had before. */
async function startSession(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply, { member, token }: LogInResult): Promise<object> {
  const previousToken = deps.sessionCookie.read(request);
  const previous = previousToken === undefined ? null : await authenticateMember(deps, previousToken);
  if (previous !== null) {
    await deps.store.people.endSession(previous.businessId, previous.memberId, previous.sessionId);
    deps.live.closeFor((one) => one.sessionId === previous.sessionId);
  }
  deps.sessionCookie.set(reply, token, SESSION_MS / 1_000);
  deps.deviceCookie.set(request, reply, member.email);
  const business = await deps.store.boards.business(member.businessId);
  return { member: presentMember(member), business: presentBusiness(member.businessId, business) };
}

/** Log-in, links that create accounts, and the sessions of a member. */
export function sessionRoutes(): AnyRoute[] {
  return [
    setUpRoute,
    logInRoute,
    previewInvitationRoute,
    acceptInvitationRoute,
    readSessionRoute,
    logOutRoute,
    listSessionsRoute,
    endSessionRoute,
    changePasswordRoute,
  ];
}
