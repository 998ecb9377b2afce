export { createClient } from "./client.ts";
export { newIdempotencyKey } from "./transport/transport.ts";
export type { Client } from "./client.ts";
export type { AskOptions, SearchFilter } from "./answers/ask.ts";
export type { NewZone, ZonePatch } from "./boards.ts";
export type { GenerateInput, GenerateOptions, GenerationListOptions, IdeaInput } from "./answers/generations.ts";
export type { InboundItem } from "./inbound.ts";
export type {
  BulkAction,
  BulkChange,
  NewFile,
  NewTile,
  TileChanges,
  TileChangesOptions,
  TileFilter,
  TileListOptions,
  TilePatch,
} from "./tiles.ts";
export type { CallOptions, ClientOptions, CreateOptions, PageOptions, UpdateOptions } from "./transport/transport.ts";
export type { FollowOptions, Revision, Stage, TileProgress } from "./live.ts";
export type { NewApiKey } from "./settings/settings.ts";
export {
  AuthenticationError,
  BudgetSpentError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  TesseraError,
  TimeoutError,
} from "./transport/errors.ts";
export { verifyWebhook, WebhookVerificationError } from "./webhook.ts";
export type { GenerationCompleteEvent, OtherEvent, TileReadyEvent, WebhookEvent, WebhookHeaders, WebhookRequest } from "./webhook.ts";
export type * from "./types.ts";
export type * from "./generated/schemas.ts";
