export { createClient } from "./client.ts";
export type { Client, GenerateInput, GenerateOptions, GenerationListOptions, IdeaInput, InboundItem } from "./client.ts";
export type { AskOptions } from "./ask.ts";
export type { NewZone, ZonePatch } from "./boards.ts";
export type {
  BulkAction,
  BulkChange,
  BulkResult,
  NewFile,
  NewTile,
  TileChanges,
  TileChangesOptions,
  TileFilter,
  TileListOptions,
  TilePatch,
} from "./tiles.ts";
export type { CallOptions, ClientOptions, CreateOptions, UpdateOptions } from "./transport/transport.ts";
export type { FollowOptions, Revision, Stage, TileProgress } from "./live.ts";
export { TesseraError } from "./transport/errors.ts";
export { verifyWebhook, WebhookVerificationError } from "./webhook.ts";
export type { GenerationCompleteEvent, OtherEvent, TileReadyEvent, WebhookEvent, WebhookHeaders, WebhookRequest } from "./webhook.ts";
export type * from "./types.ts";
export type * from "./people.ts";
export type * from "./settings.ts";
