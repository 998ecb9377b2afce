import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import { createInboundAddress, formatInboundUrl, listInboundAddresses, revokeInboundAddress } from "#service/settings/inbound-addresses.ts";
import { presentIdOnly, readIdempotencyKey } from "../../request/idempotency.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { type InputLimits, OK } from "../../wire/schema.ts";
import {
  INBOUND_ADDRESS_RESPONSES,
  createInboundAddressInput,
  presentInboundAddress,
  readInboundAddress,
} from "../../wire/settings/inbound-address.ts";

const TAG = "Settings: inbound addresses";

const listRoute = defineRoute({
  method: "GET",
  path: "/api/settings/inbound-addresses",
  operationId: "listInboundAddresses",
  tag: TAG,
  summary: "List inbound addresses",
  description: "Returns all inbound addresses of the business. Their URLs are not returned.",
  isMembersOnly: true,
  response: INBOUND_ADDRESS_RESPONSES.list,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "write"),
  handle: async ({ deps, authorized }) => ({
    inboundAddresses: (await listInboundAddresses(deps, authorized.target.id)).map(presentInboundAddress),
  }),
});

const createRoute = (body: ReturnType<typeof createInboundAddressInput>) =>
  defineRoute({
    method: "POST",
    path: "/api/settings/inbound-addresses",
    operationId: "createInboundAddress",
    tag: TAG,
    summary: "Create an inbound address",
    description:
      "Creates a URL to which a sender that can't set a header posts content. The URL is shown only in this response. Returns 409 for a repeated Idempotency-Key.",
    isMembersOnly: true,
    body,
    headers: ["Idempotency-Key"],
    returnsSecret: true,
    mayBeMissing: true,
    response: INBOUND_ADDRESS_RESPONSES.created,
    guard: (deps, actor) => authorizeBusiness(deps, actor, "write"),
    async handle({ deps, actor, body: input, request }) {
      const fields = readInboundAddress(input);
      const baseUrl = deps.linkBase(request);
      const scope = await authorizeBoard(deps, actor, input.board_id, "write");
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentIdOnly);
      const { address, token } = await createInboundAddress(deps, scope, fields, idempotency);
      return { inboundAddress: presentInboundAddress(address), url: formatInboundUrl(baseUrl, token) };
    },
  });

const revokeRoute = defineRoute({
  method: "DELETE",
  path: "/api/settings/inbound-addresses/:addressId",
  operationId: "revokeInboundAddress",
  tag: TAG,
  summary: "Revoke an inbound address",
  description: "The URL stops working immediately, on every node. Tiles that were created by it stay.",
  isMembersOnly: true,
  response: OK,
  guard: async (deps, actor, { addressId = "" }) => ({ scope: await authorizeBusiness(deps, actor, "write"), addressId }),
  async handle({ deps, authorized }) {
    await revokeInboundAddress(deps, authorized.scope, authorized.addressId);
    return { ok: true };
  },
});

export const inboundAddressRoutes = (limits: InputLimits): AnyRoute[] => [
  listRoute,
  createRoute(createInboundAddressInput(limits)),
  revokeRoute,
];
