export { createClient } from "./client.ts";
export { newIdempotencyKey } from "./transport/transport.ts";
export type { Client } from "./client.ts";
export type { AskOptions, SearchFilter } from "./answers/ask.ts";
export type { BoardMethods, BoardPatch, NewZone, ZoneMethods, ZonePatch } from "./boards.ts";
export type {
  GenerateInput,
  GenerateMethods,
  GenerateOptions,
  GenerationListOptions,
  GenerationMethods,
  IdeaInput,
} from "./answers/generations.ts";
export type { InboundItem, InboundMethods } from "./inbound.ts";
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
} from "./tiles/input.ts";
export type { TileMethods } from "./tiles/methods.ts";
export type { ClientOptions } from "./transport/options.ts";
export type { CallOptions, CreateOptions, PageOptions, UpdateOptions, WaitOptions } from "./transport/transport.ts";
export type { ChangeFilter, ChangeFollowOptions, ChangeListOptions, ChangeMethods } from "./events/changes.ts";
export type { FollowOptions, Revision, Stage, TileProgress } from "./events/live.ts";
export type { InboundAddressMethods, NewInboundAddress } from "./settings/inbound-addresses.ts";
export type { InvitationInput, PeopleMethods } from "./settings/people.ts";
export type { AuditPage, BackupMethods, KeyMethods, NewApiKey, SettingsMethods } from "./settings/settings.ts";
export type { DeliveryListOptions, DeliveryPage, RedeliveryOptions, SubscriptionMethods } from "./events/webhooks.ts";
export type { WebhookMethods } from "./settings/webhook.ts";
export {
  AuthenticationError,
  BudgetSpentError,
  ConflictError,
  ConnectionError,
  CursorExpiredError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  TesseraError,
  TimeoutError,
} from "./transport/errors.ts";
export type { TesseraErrorOptions } from "./transport/errors.ts";
export { verifyWebhook, WebhookVerificationError } from "./webhook.ts";
export type {
  GenerationCompleteEvent,
  GenerationFailedEvent,
  SourceFailingEvent,
  TestEvent,
  TileCreatedEvent,
  TileDeletedEvent,
  TileFailedEvent,
  TileReadyEvent,
  TileUpdatedEvent,
  WebhookEvent,
  WebhookHeaders,
  WebhookRequest,
} from "./webhook.ts";
export type * from "./types.ts";
export type * from "./generated/schemas.ts";
