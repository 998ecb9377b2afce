import type { FastifyReply, FastifyRequest } from "fastify";
import { setUpOwner } from "#service/people/first-run-setup.ts";
import { acceptInvitation, getInvitation } from "#service/people/members.ts";
import { type LogInResult, SESSION_MS, authenticateMember, logIn } from "#service/people/sessions.ts";
import { runLogInAttempt } from "../../auth/log-in-attempt.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../../route.ts";
import { PEOPLE_INPUTS, PEOPLE_RESPONSES, presentBusiness, presentInvitationPreview, presentMember } from "../../wire/people.ts";

const TAG = "People";
const readUserAgent = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

const setUpRoute = defineRoute({
  method: "POST",
  path: "/api/settings/claim",
  operationId: "createOwner",
  tag: TAG,
  summary: "Create the owner account",
  description: "Requires the token of the link that the first start printed. Logs the owner in.",
  isPublic: true,
  body: PEOPLE_INPUTS.firstOwner,
  mayBeMissing: true,
  response: PEOPLE_RESPONSES.loggedIn,
  guard: () => null,
  async handle({ deps, body, request, reply }) {
    const loggedIn = await runLogInAttempt(deps, request, null, () => setUpOwner(deps, { ...body, agent: readUserAgent(request) }));
    return startSession(deps, request, reply, loggedIn);
  },
});

const logInRoute = defineRoute({
  method: "POST",
  path: "/api/settings/session",
  operationId: "logIn",
  tag: TAG,
  summary: "Log in",
  description: "Sets a session cookie, which allows every call that the role of the member allows.",
  isPublic: true,
  body: PEOPLE_INPUTS.logIn,
  response: PEOPLE_RESPONSES.loggedIn,
  guard: () => null,
  async handle({ deps, body, request, reply }) {
    const loggedIn = await runLogInAttempt(deps, request, body.email, () => logIn(deps, { ...body, agent: readUserAgent(request) }));
    return startSession(deps, request, reply, loggedIn);
  },
});

const previewInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/settings/invitations/look",
  operationId: "previewInvitation",
  tag: TAG,
  summary: "Get an invitation by its token",
  description: "What an invitation link is for, before it is accepted. Returns 404 if it was used, revoked or has expired.",
  isPublic: true,
  body: PEOPLE_INPUTS.invitationToken,
  mayBeMissing: true,
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
  operationId: "acceptInvitation",
  tag: TAG,
  summary: "Accept an invitation",
  description: "Creates the account of the invited person and logs in.",
  isPublic: true,
  body: PEOPLE_INPUTS.acceptInvitation,
  mayBeMissing: true,
  response: PEOPLE_RESPONSES.loggedIn,
  guard: () => null,
  async handle({ deps, body, request, reply }) {
    const loggedIn = await runLogInAttempt(deps, request, null, () => acceptInvitation(deps, { ...body, agent: readUserAgent(request) }));
    return startSession(deps, request, reply, loggedIn);
  },
});

/** Sets the cookies, and ends the session that this browser had before. */
async function startSession(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply, { member, token }: LogInResult): Promise<object> {
  const previousToken = deps.sessionCookie.read(request);
  const previous = previousToken === undefined ? null : await authenticateMember(deps, previousToken);
  if (previous !== null) {
    await deps.store.people.endSession(previous.businessId, previous.memberId, previous.sessionId);
    deps.accessWatch.check();
  }
  deps.sessionCookie.set(reply, token, SESSION_MS / 1_000);
  deps.deviceCookie.set(request, reply, member.email);
  const business = await deps.store.boards.business(member.businessId);
  return { member: presentMember(member), business: presentBusiness(member.businessId, business) };
}

/** Creates the routes of log-in and of the one-time links that create accounts. */
export function logInRoutes(): AnyRoute[] {
  return [setUpRoute, logInRoute, previewInvitationRoute, acceptInvitationRoute];
}
