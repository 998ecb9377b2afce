// Generated from the OpenAPI document by `npm run sdk:types`. Do not edit.

/** The operations that accept an idempotency key. */
export const CREATIONS: ReadonlySet<string> = new Set([
  "POST /api/board/boards",
  "POST /api/board/{boardId}/zones",
  "POST /api/board/{boardId}/tiles",
  "POST /api/board/{boardId}/files",
  "POST /api/inbound/tiles",
  "POST /api/inbound/tiles/batch",
  "POST /api/v1/generate",
  "POST /api/v1/idea",
  "POST /api/settings/keys",
]);
