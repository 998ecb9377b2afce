import type { Invitation } from "#domain/settings/member.ts";
import { grantBusiness } from "#service/access.ts";
import { changeRole, invite, listInvitations, listMembers, removeMember, withdrawInvitation } from "#service/people/members.ts";
import { type AnyRoute, defineRoute } from "../../call.ts";
import { onceOf, rememberId } from "../../answer/once.ts";
import { presentInvitation, presentMember } from "../../presenters/people.ts";
import { OUTPUTS } from "../../schemas/outputs.ts";
import { PEOPLE_INPUTS, PEOPLE_OUTPUTS } from "../../schemas/people.ts";

const TAG = "People";

/** Members and invitations, for admins and owners. */
export function memberRoutes(): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/settings/members",
      tag: TAG,
      summary: "List members",
      isForMembers: true,
      response: PEOPLE_OUTPUTS.members,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      handle: async ({ deps, granted }) => ({ members: (await listMembers(deps, granted)).map(presentMember) }),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/settings/members/:memberId",
      tag: TAG,
      summary: "Change a member's role",
      description: "Ends the member's sessions. For owners; the last owner stays one.",
      isForMembers: true,
      body: PEOPLE_INPUTS.role,
      response: PEOPLE_OUTPUTS.member,
      guard: async (deps, actor, { memberId = "" }) => ({ scope: await grantBusiness(deps, actor, "own"), memberId }),
      async handle({ deps, granted, body }) {
        const member = await changeRole(deps, granted.scope, granted.memberId, body.role);
        deps.live.endOf(({ memberId }) => memberId === granted.memberId);
        return { member: presentMember(member) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/settings/members/:memberId",
      tag: TAG,
      summary: "Remove a member",
      description: "With all sessions. Keys that the member made go on working. Owners are removed by owners.",
      isForMembers: true,
      response: OUTPUTS.ok,
      guard: async (deps, actor, { memberId = "" }) => ({ scope: await grantBusiness(deps, actor, "administer"), memberId }),
      async handle({ deps, granted }) {
        await removeMember(deps, granted.scope, granted.memberId);
        deps.live.endOf(({ memberId }) => memberId === granted.memberId);
        return { ok: true };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/invitations",
      tag: TAG,
      summary: "List invitations that are open",
      isForMembers: true,
      response: PEOPLE_OUTPUTS.invitations,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      handle: async ({ deps, granted }) => ({ invitations: (await listInvitations(deps, granted)).map(presentInvitation) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/invitations",
      tag: TAG,
      summary: "Invite a person",
      description:
        "The link is shown this once, is good for a week and for one person. Inviting an address again replaces its earlier link; the same call again under its Idempotency-Key makes nothing and is 409.",
      isForMembers: true,
      isCreation: true,
      body: PEOPLE_INPUTS.invite,
      response: PEOPLE_OUTPUTS.invited,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      async handle({ deps, actor, granted, body, request }) {
        const once = onceOf<Invitation>(request, actor, deps.clock.now(), rememberId);
        const { invitation, token } = await invite(deps, granted, { email: body.email, role: body.role ?? "member" }, once);
        const base = deps.baseUrl === "" ? `${request.protocol}://${request.host}` : deps.baseUrl;
        return { invitation: presentInvitation(invitation), link: `${base}/join#${token}` };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/settings/invitations/:invitationId",
      tag: TAG,
      summary: "Withdraw an invitation",
      isForMembers: true,
      response: OUTPUTS.ok,
      guard: async (deps, actor, { invitationId = "" }) => ({ scope: await grantBusiness(deps, actor, "administer"), invitationId }),
      async handle({ deps, granted }) {
        await withdrawInvitation(deps, granted.scope, granted.invitationId);
        return { ok: true };
      },
    }),
  ];
}
