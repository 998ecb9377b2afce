import type { FastifyReply } from "fastify";
import {
  type MemberActor,
  changePassword,
  endSession,
  listSessions,
  readMember,
  requireMemberActor,
  verifyPassword,
} from "#service/people/sessions.ts";
import { runThrottled } from "../../auth/log-in-attempt.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../../route.ts";
import { PEOPLE_INPUTS, PEOPLE_RESPONSES, presentBusiness, presentKeyNotice, presentMember, presentSession } from "../../wire/people.ts";
import { OK } from "../../wire/schema.ts";

const TAG = "People";

const readSessionRoute = defineRoute({
  method: "GET",
  path: "/api/settings/session",
  operationId: "getSession",
  isTagged: true,
  tag: TAG,
  summary: "Get the current session",
  description: "The person who is logged in, the business, and limits that the page checks before it sends a request.",
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
      ...(member.role === "owner" ? presentKeyNotice(await deps.readKeyState()) : {}),
    };
  },
});

const logOutRoute = defineRoute({
  method: "DELETE",
  path: "/api/settings/session",
  operationId: "logOut",
  tag: TAG,
  summary: "Log out",
  description: "Ends the session of this call and deletes its cookie.",
  isMembersOnly: true,
  response: OK,
  guard: (_deps, actor) => requireMemberActor(actor),
  async handle({ deps, authorized: actor, reply }) {
    return endSessionAndClearCookie(deps, actor, actor.sessionId, reply);
  },
});

const listSessionsRoute = defineRoute({
  method: "GET",
  path: "/api/settings/sessions",
  operationId: "listSessions",
  tag: TAG,
  summary: "List sessions",
  description: "All sessions of the person who is logged in.",
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
  operationId: "endSession",
  tag: TAG,
  summary: "End a session",
  description: "Logs the browser of this session out.",
  isMembersOnly: true,
  response: OK,
  guard: (_deps, actor, { sessionId = "" }) => ({ actor: requireMemberActor(actor), sessionId }),
  async handle({ deps, authorized: { actor, sessionId }, reply }) {
    return endSessionAndClearCookie(deps, actor, sessionId, reply);
  },
});

const changePasswordRoute = defineRoute({
  method: "POST",
  path: "/api/settings/password",
  operationId: "changePassword",
  tag: TAG,
  summary: "Change your password",
  description: "Ends your other sessions.",
  isMembersOnly: true,
  body: PEOPLE_INPUTS.changePassword,
  response: OK,
  guard: (_deps, actor) => requireMemberActor(actor),
  async handle({ deps, authorized: actor, body }) {
    // Attempts are counted per session, so that failed log-ins and password changes do not throttle each other.
    const origin = { email: actor.email, network: "", device: `session ${actor.sessionId}` };
    await runThrottled(deps, origin, () => verifyPassword(deps, actor, body.current_password));
    await changePassword(deps, actor, body.new_password);
    deps.accessWatch.check();
    return { ok: true };
  },
});

/** Ends a session of the member. If it is the session of this call, the browser also deletes its cookie and its cache. */
async function endSessionAndClearCookie(deps: HttpDeps, actor: MemberActor, sessionId: string, reply: FastifyReply): Promise<object> {
  await endSession(deps, actor, sessionId);
  deps.accessWatch.check();
  if (sessionId === actor.sessionId) {
    deps.sessionCookie.clear(reply);
    // The next user of this browser must not find cached listings.
    reply.header("Clear-Site-Data", '"cache"');
  }
  return { ok: true };
}

/** Creates the routes of the sessions and the password of the current member. */
export function sessionRoutes(): AnyRoute[] {
  return [readSessionRoute, logOutRoute, listSessionsRoute, endSessionRoute, changePasswordRoute];
}
