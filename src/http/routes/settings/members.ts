import type { Invitation } from "#domain/settings/member.ts";
import { authorizeBusiness } from "#service/access.ts";
import { changeRole, invite, listInvitations, listMembers, removeMember, revokeInvitation } from "#service/people/members.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { readIdempotencyKey, presentIdOnly } from "../../request/idempotency.ts";
import { PEOPLE_INPUTS, PEOPLE_RESPONSES, presentInvitation, presentMember } from "../../wire/people.ts";
import { OK } from "../../wire/schema.ts";

const TAG = "People";

const listMembersRoute = defineRoute({
  method: "GET",
  path: "/api/settings/members",
  operationId: "listMembers",
  tag: TAG,
  summary: "List members",
  description: "Everybody who has an account of the business.",
  isMembersOnly: true,
  response: PEOPLE_RESPONSES.members,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
  handle: async ({ deps, authorized }) => ({ members: (await listMembers(deps, authorized)).map(presentMember) }),
});

const changeRoleRoute = defineRoute({
  method: "PATCH",
  path: "/api/settings/members/:memberId",
  operationId: "updateMember",
  tag: TAG,
  summary: "Change a member's role",
  description: "Ends the sessions of the member. The last owner can't be changed. Owners only.",
  isMembersOnly: true,
  body: PEOPLE_INPUTS.changeRole,
  response: PEOPLE_RESPONSES.member,
  guard: async (deps, actor, { memberId = "" }) => ({ scope: await authorizeBusiness(deps, actor, "own"), memberId }),
  async handle({ deps, authorized, body }) {
    const member = await changeRole(deps, authorized.scope, authorized.memberId, body.role);
    deps.accessWatch.check();
    return { member: presentMember(member) };
  },
});

const removeMemberRoute = defineRoute({
  method: "DELETE",
  path: "/api/settings/members/:memberId",
  operationId: "removeMember",
  tag: TAG,
  summary: "Remove a member",
  description: "Ends all sessions of the member. API keys that the member created keep working. Only owners can remove owners.",
  isMembersOnly: true,
  response: OK,
  guard: async (deps, actor, { memberId = "" }) => ({ scope: await authorizeBusiness(deps, actor, "administer"), memberId }),
  async handle({ deps, authorized }) {
    await removeMember(deps, authorized.scope, authorized.memberId);
    deps.accessWatch.check();
    return { ok: true };
  },
});

const listInvitationsRoute = defineRoute({
  method: "GET",
  path: "/api/settings/invitations",
  operationId: "listInvitations",
  tag: TAG,
  summary: "List open invitations",
  description: "Invitations that were neither accepted nor revoked and have not expired. Admins and owners only.",
  isMembersOnly: true,
  response: PEOPLE_RESPONSES.invitations,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
  handle: async ({ deps, authorized }) => ({ invitations: (await listInvitations(deps, authorized)).map(presentInvitation) }),
});

const inviteRoute = defineRoute({
  method: "POST",
  path: "/api/settings/invitations",
  operationId: "createInvitation",
  tag: TAG,
  summary: "Create an invitation",
  description:
    "Returns a link that is shown only once, works for one person and expires after a week. Inviting the same address again replaces the link. Returns 409 for a repeated Idempotency-Key.",
  isMembersOnly: true,
  body: PEOPLE_INPUTS.invite,
  headers: ["Idempotency-Key"],
  returnsSecret: true,
  response: PEOPLE_RESPONSES.invited,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
  async handle({ deps, actor, authorized, body, request }) {
    const base = deps.linkBase(request);
    const idempotency = readIdempotencyKey<Invitation>(request, actor, deps.clock.now(), presentIdOnly);
    const { invitation, token } = await invite(deps, authorized, { email: body.email, role: body.role ?? "member" }, idempotency);
    return { invitation: presentInvitation(invitation), link: `${base}/join#${token}` };
  },
});

const revokeInvitationRoute = defineRoute({
  method: "DELETE",
  path: "/api/settings/invitations/:invitationId",
  operationId: "revokeInvitation",
  tag: TAG,
  summary: "Revoke an invitation",
  description: "The link stops working immediately. Admins and owners only.",
  isMembersOnly: true,
  response: OK,
  guard: async (deps, actor, { invitationId = "" }) => ({ scope: await authorizeBusiness(deps, actor, "administer"), invitationId }),
  async handle({ deps, authorized }) {
    await revokeInvitation(deps, authorized.scope, authorized.invitationId);
    return { ok: true };
  },
});

/** Creates the routes of members and invitations, for admins and owners. */
export function memberRoutes(): AnyRoute[] {
  return [listMembersRoute, changeRoleRoute, removeMemberRoute, listInvitationsRoute, inviteRoute, revokeInvitationRoute];
}
