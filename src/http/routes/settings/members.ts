import type { Invitation } from "#domain/settings/member.ts";
import { grantBusiness } from "#service/access.ts";
import { changeRole, invite, listInvitations, listMembers, removeMember, withdrawInvitation } from "#service/people/members.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { readIdempotencyKey, renderIdOnly } from "../../request/idempotency.ts";
import { presentInvitation, presentMember } from "../../wire/people-presenters.ts";
import { OUTPUTS } from "../../wire/outputs.ts";
import { PEOPLE_INPUTS, PEOPLE_OUTPUTS } from "../../wire/people-schemas.ts";

const TAG = "People";

/** Members and invitations, for admins and owners. */
export function memberRoutes(): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/settings/members",
      tag: TAG,
      summary: "List members",
      isMembersOnly: true,
      response: PEOPLE_OUTPUTS.members,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      handle: async ({ deps, authorized }) => ({ members: (await listMembers(deps, authorized)).map(presentMember) }),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/settings/members/:memberId",
      tag: TAG,
      summary: "Change a member's role",
      description: "Ends the member's sessions. For owners; the last owner stays one.",
      isMembersOnly: true,
      body: PEOPLE_INPUTS.role,
      response: PEOPLE_OUTPUTS.member,
      guard: async (deps, actor, { memberId = "" }) => ({ scope: await grantBusiness(deps, actor, "own"), memberId }),
      async handle({ deps, authorized, body }) {
        const member = await changeRole(deps, authorized.scope, authorized.memberId, body.role);
        deps.live.endOf(({ memberId }) => memberId === authorized.memberId);
        return { member: presentMember(member) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/settings/members/:memberId",
      tag: TAG,
      summary: "Remove a member",
      description: "With all sessions. Keys that the member made go on working. Owners are removed by owners.",
      isMembersOnly: true,
      response: OUTPUTS.ok,
      guard: async (deps, actor, { memberId = "" }) => ({ scope: await grantBusiness(deps, actor, "administer"), memberId }),
      async handle({ deps, authorized }) {
        await removeMember(deps, authorized.scope, authorized.memberId);
        deps.live.endOf(({ memberId }) => memberId === authorized.memberId);
        return { ok: true };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/invitations",
      tag: TAG,
      summary: "List invitations that are open",
      isMembersOnly: true,
      response: PEOPLE_OUTPUTS.invitations,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      handle: async ({ deps, authorized }) => ({ invitations: (await listInvitations(deps, authorized)).map(presentInvitation) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/invitations",
      tag: TAG,
      summary: "Invite a person",
      description:
        "The link is shown this once, is good for a week and for one person. Inviting an address again replaces its earlier link; the same call again under its Idempotency-Key makes nothing and is 409.",
      isMembersOnly: true,
      body: PEOPLE_INPUTS.invite,
      response: PEOPLE_OUTPUTS.invited,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      async handle({ deps, actor, authorized, body, request }) {
        const once = readIdempotencyKey<Invitation>(request, actor, deps.clock.now(), renderIdOnly);
        const { invitation, token } = await invite(deps, authorized, { email: body.email, role: body.role ?? "member" }, once);
        const base = deps.baseUrl === "" ? `${request.protocol}://${request.host}` : deps.baseUrl;
        return { invitation: presentInvitation(invitation), link: `${base}/join#${token}` };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/settings/invitations/:invitationId",
      tag: TAG,
      summary: "Withdraw an invitation",
      isMembersOnly: true,
      response: OUTPUTS.ok,
      guard: async (deps, actor, { invitationId = "" }) => ({ scope: await grantBusiness(deps, actor, "administer"), invitationId }),
      async handle({ deps, authorized }) {
        await withdrawInvitation(deps, authorized.scope, authorized.invitationId);
        return { ok: true };
      },
    }),
  ];
}
