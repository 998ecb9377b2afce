import type { ApiKey } from "#domain/settings/api-key.ts";
import { type BackupRun, type BackupSchedule, statusOf } from "#domain/settings/backup.ts";
import { isoTime } from "#domain/core/system.ts";
import type { Delivery, DeliverySummary, Webhook } from "#domain/settings/webhook.ts";
import type { SignedEntry } from "#service/settings/audit.ts";
import type { MonthUsage } from "#service/usage.ts";

/** Output shapes of the settings: no hash and no secret is among them. */
const isoOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

export const presentKey = (key: ApiKey, usage: MonthUsage) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  boardId: key.boardId,
  permission: key.permission,
  expiresAt: isoOrNull(key.expiresAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  revokedAt: isoOrNull(key.revokedAt),
  budget: key.budget,
  usage,
  createdBy: key.createdBy,
  createdAt: isoTime(key.createdAt),
});

export const presentWebhook = (webhook: Webhook, now: number) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  overlapUntil: webhook.previousUntil !== null && webhook.previousUntil > now ? isoTime(webhook.previousUntil) : null,
  createdAt: isoTime(webhook.createdAt),
  updatedAt: isoTime(webhook.updatedAt),
});

export const presentDeliverySummary = (delivery: DeliverySummary) => ({
  id: delivery.id,
  event: delivery.event,
  url: delivery.url,
  status: delivery.status,
  responseStatus: delivery.responseStatus,
  durationMs: delivery.durationMs,
  error: delivery.error,
  createdAt: isoTime(delivery.createdAt),
  sentAt: isoOrNull(delivery.sentAt),
});

export const presentDelivery = (delivery: Delivery) => ({
  ...presentDeliverySummary(delivery),
  body: delivery.body,
  headers: delivery.sentAt === null ? null : headersOf(delivery.id, delivery.sentAt),
  responseStart: delivery.responseStart,
});

/** What the sender set besides its own name; signatures are kept nowhere and shown nowhere. */
const headersOf = (id: string, sentAt: number): Record<string, string> => ({
  "content-type": "application/json",
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(sentAt / 1_000)),
  "webhook-signature": "v1,***",
  "x-service-signature": "***",
});

export const presentEntry = ({ actor, action, subject, at }: SignedEntry) => ({ actor, action, subject, at: isoTime(at) });

export const presentSchedule = ({ every, hour, keep, nextAt }: BackupSchedule) => ({ every, hour, keep, nextAt: isoOrNull(nextAt) });

export const presentBackup = (run: BackupRun, now: number) => ({
  id: run.id,
  file: run.file,
  node: run.node === "" ? null : run.node,
  bytes: run.bytes,
  ...statusOf(run, now),
  startedAt: isoTime(run.startedAt),
  endedAt: isoOrNull(run.endedAt),
});
