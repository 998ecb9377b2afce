export { createClient } from "./client.ts";
export type { AskOptions, Client, GenerateInput, GenerateOptions, GenerationListOptions, IdeaInput, InboundItem } from "./client.ts";
export type { NewZone, ZonePatch } from "./boards.ts";
export type { NewFile, NewTile, TileListOptions, TilePatch } from "./tiles.ts";
export type { CallOptions, ClientOptions, CreateOptions, UpdateOptions } from "./transport.ts";
export { TesseraError } from "./errors.ts";
export { verifyWebhook, WebhookVerificationError } from "./webhook.ts";
export type { GenerationCompleteEvent, OtherEvent, TileReadyEvent, WebhookEvent, WebhookHeaders, WebhookRequest } from "./webhook.ts";
export type * from "./types.ts";
