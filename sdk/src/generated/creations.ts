// Generated from the OpenAPI document by `npm run sdk:types`. Do not edit.

/** Creations that a repeated call with the same idempotency key does not repeat. A generation answers 409 while the first call runs. */
export const CREATIONS: ReadonlySet<string> = new Set([
  "POST /api/board/boards",
  "POST /api/board/{boardId}/zones",
  "POST /api/board/{boardId}/tiles",
  "POST /api/board/{boardId}/files",
  "POST /api/inbound/tiles",
  "POST /api/inbound/tiles/batch",
  "POST /api/webhooks",
  "POST /api/settings/invitations",
  "POST /api/settings/keys",
  "POST /api/settings/inbound-addresses",
  "POST /api/settings/webhooks",
]);
