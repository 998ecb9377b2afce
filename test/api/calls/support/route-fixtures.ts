import type { RequiredAccess, Permission } from "#domain/core/access.ts";
import { PERMISSIONS } from "#domain/settings/api-key.ts";
import type { Ids, Operation } from "../../../support/operations.ts";

/** The permission that a route needs, where its board is named, and a valid request. */
export type Fixture = {
  /** `member` needs a session, which no key replaces; `open` needs no authentication. */
  readonly need: RequiredAccess | "none" | "member" | "open";
  readonly board: "path" | "body" | "items" | "none";
  readonly body?: (ids: Ids) => unknown;
  readonly query?: string;
};

/** Every route of the document is listed here. A new route fails the first test until its protection is described. */
export const FIXTURES: Readonly<Record<string, Fixture>> = {
  "GET /api/me": { need: "none", board: "none" },
  "GET /api/board/boards": { need: "read", board: "none" },
  "POST /api/board/boards": { need: "manage", board: "none", body: () => ({ name: "New" }) },
  "GET /api/board/boards/{boardId}": { need: "read", board: "path" },
  "PATCH /api/board/boards/{boardId}": { need: "manage", board: "path", body: () => ({ name: "Renamed" }) },
  "DELETE /api/board/boards/{boardId}": { need: "manage", board: "path" },
  "POST /api/board/boards/{boardId}/restore": { need: "manage", board: "path" },
  "GET /api/board/{boardId}/zones": { need: "read", board: "path" },
  "POST /api/board/{boardId}/zones": { need: "write", board: "path", body: () => ({ name: "New" }) },
  "GET /api/board/zones/{zoneId}": { need: "read", board: "path" },
  "PATCH /api/board/zones/{zoneId}": { need: "write", board: "path", body: () => ({ name: "Renamed" }) },
  "DELETE /api/board/zones/{zoneId}": { need: "write", board: "path" },
  "POST /api/board/zones/{zoneId}/restore": { need: "write", board: "path" },
  "GET /api/board/{boardId}/tiles": { need: "read", board: "path" },
  "POST /api/board/{boardId}/tiles": { need: "write", board: "path", body: () => ({ content: "New" }) },
  "POST /api/board/{boardId}/tiles/retry": { need: "write", board: "path" },
  "POST /api/board/{boardId}/tiles/bulk": {
    need: "write",
    board: "path",
    body: ({ tileId }) => ({ filter: { tile_ids: [tileId] }, action: { move_to: null } }),
  },
  "POST /api/board/{boardId}/files": { need: "write", board: "path" },
  "GET /api/board/tiles/{tileId}": { need: "read", board: "path" },
  "GET /api/board/{boardId}/tiles/{tileId}/thumbnail": { need: "read", board: "path" },
  "PATCH /api/board/tiles/{tileId}": { need: "write", board: "path", body: () => ({ title: "Renamed" }) },
  "DELETE /api/board/tiles/{tileId}": { need: "write", board: "path" },
  "POST /api/board/tiles/{tileId}/restore": { need: "write", board: "path" },
  "POST /api/board/tiles/{tileId}/retry": { need: "write", board: "path" },
  "POST /api/inbound/tiles": { need: "inbound", board: "body", body: ({ boardId }) => ({ board_id: boardId, content: "New" }) },
  "POST /api/inbound/tiles/batch": {
    need: "inbound",
    board: "items",
    body: ({ boardId }) => ({ tiles: [{ board_id: boardId, content: "New" }] }),
  },
  "POST /api/v1/generate": { need: "ask", board: "body", body: ({ boardId }) => ({ board_id: boardId, asset_type: "post", async: true }) },
  "POST /api/v1/idea": { need: "ask", board: "body", body: ({ boardId }) => ({ board_id: boardId, async: true }) },
  "GET /api/v1/generations": { need: "read", board: "none" },
  "GET /api/v1/generations/{generationId}": { need: "read", board: "path" },
  "POST /api/v1/generations/{generationId}/cancel": { need: "ask", board: "path" },
  "POST /api/board/{boardId}/ask": { need: "ask", board: "path", body: () => ({ question: "When does the harbour open?" }) },
  "GET /api/board/{boardId}/ask": { need: "ask", board: "path", query: "?q=harbour" },
  "GET /api/board/{boardId}/search": { need: "read", board: "path", query: "?q=harbour" },
  "GET /api/changes": { need: "read", board: "none" },
  "GET /api/webhooks": { need: "subscribe", board: "none" },
  "POST /api/webhooks": { need: "subscribe", board: "none", body: () => ({ url: "https://example.com/", events: ["tile.ready"] }) },
  "GET /api/webhooks/samples": { need: "subscribe", board: "none" },
  "GET /api/webhooks/{webhookId}": { need: "subscribe", board: "none" },
  "PATCH /api/webhooks/{webhookId}": { need: "subscribe", board: "none", body: () => ({ description: "New" }) },
  "DELETE /api/webhooks/{webhookId}": { need: "subscribe", board: "none" },
  "POST /api/webhooks/{webhookId}/rotate": { need: "subscribe", board: "none", body: () => ({ overlap_hours: 0 }) },
  "POST /api/webhooks/{webhookId}/test": { need: "subscribe", board: "none" },
  "GET /api/webhooks/{webhookId}/deliveries": { need: "subscribe", board: "none" },
  "GET /api/webhooks/{webhookId}/deliveries/{deliveryId}": { need: "subscribe", board: "none" },
  "POST /api/webhooks/{webhookId}/deliveries/redeliver": { need: "subscribe", board: "none", body: () => ({ since: "2026-01-01" }) },
  "POST /api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": { need: "subscribe", board: "none" },
  "GET /api/settings/webhooks": { need: "own", board: "none" },
  "POST /api/settings/webhooks": { need: "own", board: "none", body: () => ({ url: "https://example.com/", events: ["tile.ready"] }) },
  "GET /api/settings/webhooks/samples": { need: "own", board: "none" },
  "GET /api/settings/webhooks/{webhookId}": { need: "own", board: "none" },
  "PATCH /api/settings/webhooks/{webhookId}": { need: "own", board: "none", body: () => ({ description: "New" }) },
  "DELETE /api/settings/webhooks/{webhookId}": { need: "own", board: "none" },
  "POST /api/settings/webhooks/{webhookId}/rotate": { need: "own", board: "none", body: () => ({ overlap_hours: 0 }) },
  "POST /api/settings/webhooks/{webhookId}/test": { need: "own", board: "none" },
  "GET /api/settings/webhooks/{webhookId}/deliveries": { need: "own", board: "none" },
  "GET /api/settings/webhooks/{webhookId}/deliveries/{deliveryId}": { need: "own", board: "none" },
  "POST /api/settings/webhooks/{webhookId}/deliveries/redeliver": { need: "own", board: "none", body: () => ({ since: "2026-01-01" }) },
  "POST /api/settings/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": { need: "own", board: "none" },
  "POST /api/settings/webhook/deliveries/redeliver": { need: "own", board: "none", body: () => ({ since: "2026-01-01" }) },
  "POST /in/{token}": { need: "open", board: "none", body: () => ({ content: "From a sender." }) },
  "POST /api/settings/claim": { need: "open", board: "none" },
  "POST /api/settings/session": { need: "open", board: "none" },
  "POST /api/settings/invitations/look": { need: "open", board: "none" },
  "POST /api/settings/invitations/accept": { need: "open", board: "none" },
  "GET /api/settings/session": { need: "member", board: "none" },
  "DELETE /api/settings/session": { need: "member", board: "none" },
  "GET /api/settings/sessions": { need: "member", board: "none" },
  "DELETE /api/settings/sessions/{sessionId}": { need: "member", board: "none" },
  "POST /api/settings/password": { need: "member", board: "none", body: () => ({ current_password: "x", new_password: "y" }) },
  "GET /api/settings/members": { need: "administer", board: "none" },
  "PATCH /api/settings/members/{memberId}": { need: "own", board: "none", body: () => ({ role: "owner" }) },
  "DELETE /api/settings/members/{memberId}": { need: "administer", board: "none" },
  "GET /api/settings/invitations": { need: "administer", board: "none" },
  "POST /api/settings/invitations": { need: "administer", board: "none", body: () => ({ email: "a@example.com" }) },
  "DELETE /api/settings/invitations/{invitationId}": { need: "administer", board: "none" },
  "GET /api/settings/keys": { need: "administer", board: "none" },
  "POST /api/settings/keys": { need: "administer", board: "none", body: () => ({ name: "New" }) },
  "PATCH /api/settings/keys/{keyId}": { need: "administer", board: "none", body: () => ({ name: "Renamed" }) },
  "DELETE /api/settings/keys/{keyId}": { need: "administer", board: "none" },
  "GET /api/settings/inbound-addresses": { need: "member", board: "none" },
  "POST /api/settings/inbound-addresses": { need: "member", board: "none", body: ({ boardId }) => ({ name: "New", board_id: boardId }) },
  "DELETE /api/settings/inbound-addresses/{addressId}": { need: "member", board: "none" },
  "GET /api/settings/audit": { need: "administer", board: "none" },
  "GET /api/settings/model": { need: "administer", board: "none" },
  "GET /api/settings/backups": { need: "own", board: "none" },
  "PATCH /api/settings/backups": { need: "own", board: "none", body: () => ({ keep: 3 }) },
  "POST /api/settings/backups": { need: "own", board: "none" },
  "GET /api/settings/boards": { need: "administer", board: "none" },
  "GET /api/settings/boards/{boardId}/export": { need: "administer", board: "none" },
  "POST /api/settings/boards/import": { need: "administer", board: "none" },
  "GET /api/settings/webhook": { need: "own", board: "none" },
  "POST /api/settings/webhook": { need: "own", board: "none", body: () => ({ url: "https://example.com/" }) },
  "PATCH /api/settings/webhook": { need: "own", board: "none", body: () => ({ events: [] }) },
  "DELETE /api/settings/webhook": { need: "own", board: "none" },
  "POST /api/settings/webhook/rotate": { need: "own", board: "none", body: () => ({ overlap_hours: 0 }) },
  "POST /api/settings/webhook/test": { need: "own", board: "none" },
  "GET /api/settings/webhook/deliveries": { need: "own", board: "none" },
  "GET /api/settings/webhook/deliveries/{deliveryId}": { need: "own", board: "none" },
  "POST /api/settings/webhook/deliveries/{deliveryId}/redeliver": { need: "own", board: "none" },
};

/** Permissions that do not suffice for a route with this need. */
export const SHORT_OF: Readonly<Record<Fixture["need"], readonly Permission[]>> = {
  open: [],
  member: PERMISSIONS,
  administer: PERMISSIONS,
  own: PERMISSIONS,
  subscribe: PERMISSIONS,
  none: [],
  read: ["inbound"],
  ask: ["read", "inbound"],
  write: ["read", "ask", "inbound"],
  inbound: ["read", "ask"],
  manage: ["read", "ask", "inbound"],
};

/** Returns the fixture of a route; throws if there is none. */
export const getFixture = (operation: Operation): Fixture => {
  const fixture = FIXTURES[operation.name];
  if (fixture === undefined) throw new Error(`${operation.name} has no fixture: say in FIXTURES how it is protected.`);
  return fixture;
};
