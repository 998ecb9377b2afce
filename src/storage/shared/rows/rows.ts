import type { Permission } from "#domain/core/access.ts";
import type { ApiKey } from "#domain/settings/api-key.ts";
import type { Board, Business, Revisions } from "#domain/core/board.ts";
import type { AuditEntry, AuditPage } from "#domain/store.ts";
import type { UsageTotal } from "#domain/model/usage.ts";
import type { Delivery, DeliveryCursor, DeliverySummary, EventType, Webhook } from "#domain/settings/webhook.ts";
import type { Zone, ZoneColor, ZoneSize } from "#domain/content/zone.ts";

/** A yes or no as the engines give it: 0 and 1, or a boolean. */
export type Flag = number | boolean;

export type BusinessRow = { id: string; name: string; created_at: number };
export const BUSINESS_COLUMNS = "id, name, created_at";
export const businessOf = (row: BusinessRow): Business => ({ id: row.id, name: row.name, createdAt: row.created_at });

export type BoardRow = {
  id: string;
  business_id: string;
  name: string;
  slug: string;
  is_default: Flag;
  version: number;
  created_at: number;
  updated_at: number;
};
export const BOARD_COLUMNS = "id, business_id, name, slug, is_default, version, created_at, updated_at";
/** Each creation of a tile counts up both of the last, every other write to the board one of them. */
export const REVISIONS = "zone_revision AS zones, revision AS content, revision - next_sequence AS existing";
export const NO_REVISIONS: Revisions = { zones: 0, content: 0, existing: 0 };
export const boardOf = (row: BoardRow): Board => ({
  id: row.id,
  businessId: row.business_id,
  name: row.name,
  isDefault: Boolean(row.is_default),
  slug: row.slug,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export type ZoneRow = {
  business_id: string;
  id: string;
  board_id: string;
  name: string;
  sort_order: number;
  connected_to_chat: Flag;
  color: string | null;
  emoji: string | null;
  size: string;
  version: number;
  created_at: number;
  updated_at: number;
};
export const ZONE_COLUMNS =
  "z.business_id, z.id, z.board_id, z.name, z.sort_order, z.connected_to_chat, z.color, z.emoji, z.size, z.version, z.created_at, z.updated_at";
export const zoneOf = (row: ZoneRow): Zone => ({
  id: row.id,
  businessId: row.business_id,
  boardId: row.board_id,
  name: row.name,
  sortOrder: row.sort_order,
  connectedToChat: Boolean(row.connected_to_chat),
  color: row.color as ZoneColor | null,
  emoji: row.emoji,
  size: row.size as ZoneSize,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export type KeyRow = {
  business_id: string;
  id: string;
  name: string;
  prefix: string;
  board_id: string | null;
  permission: string;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
  budget: number | null;
  created_by: string;
  created_at: number;
};
export const KEY_COLUMNS =
  "business_id, id, name, prefix, board_id, permission, expires_at, last_used_at, revoked_at, budget, created_by, created_at";
export const keyOf = (row: KeyRow): ApiKey => ({
  id: row.id,
  businessId: row.business_id,
  name: row.name,
  prefix: row.prefix,
  boardId: row.board_id,
  permission: row.permission as Permission,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
  budget: row.budget,
  createdBy: row.created_by,
  createdAt: row.created_at,
});

export type UsageSumRow = { calls: number; input: number; output: number };
/** Sums that both engines give as whole numbers. */
export const USAGE_SUMS =
  "CAST(coalesce(sum(calls), 0) AS BIGINT) AS calls, CAST(coalesce(sum(input_tokens), 0) AS BIGINT) AS input, CAST(coalesce(sum(output_tokens), 0) AS BIGINT) AS output";
export const usageTotalOf = ({ calls, input, output }: UsageSumRow): UsageTotal => ({ calls, input, output });

export type WebhookRow = {
  id: string;
  business_id: string;
  url: string;
  events: string;
  sealed_secret: string;
  sealed_previous: string | null;
  previous_until: number | null;
  created_at: number;
  updated_at: number;
};
export const WEBHOOK_COLUMNS = "business_id, id, url, events, sealed_secret, sealed_previous, previous_until, created_at, updated_at";
export const webhookOf = (row: WebhookRow): Webhook => ({
  id: row.id,
  businessId: row.business_id,
  url: row.url,
  events: JSON.parse(row.events) as EventType[],
  sealedSecret: row.sealed_secret,
  sealedPrevious: row.sealed_previous,
  previousUntil: row.previous_until,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export type DeliveryRow = {
  id: string;
  business_id: string;
  webhook_id: string;
  event: string;
  url: string;
  status: string;
  payload: string;
  body: string | null;
  response_status: number | null;
  response_start: string | null;
  error: string | null;
  duration_ms: number | null;
  created_at: number;
  sent_at: number | null;
};
export const DELIVERY_COLUMNS =
  "business_id, id, webhook_id, event, url, status, payload, body, response_status, response_start, error, duration_ms, created_at, sent_at";
export const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  businessId: row.business_id,
  webhookId: row.webhook_id,
  event: row.event,
  url: row.url,
  status: row.status as Delivery["status"],
  payload: row.payload,
  body: row.body,
  responseStatus: row.response_status,
  responseStart: row.response_start,
  error: row.error,
  durationMs: row.duration_ms,
  createdAt: row.created_at,
  sentAt: row.sent_at,
});

/** Rows of the log as it is listed, with the number that orders those of one time. */
export type DeliverySummaryRow = Omit<DeliveryRow, "payload" | "body" | "response_start"> & { number: number };
export const DELIVERY_SUMMARY_COLUMNS =
  "business_id, id, webhook_id, event, url, status, response_status, error, duration_ms, created_at, sent_at";

/** The page that `rows` hold, of which one more than `limit` was asked for. */
export function deliveryPageOf(rows: readonly DeliverySummaryRow[], limit: number) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const deliveries = shown.map(({ number: _number, ...row }) => {
    const {
      payload: _payload,
      body: _body,
      responseStart: _start,
      ...summary
    } = deliveryOf({
      ...row,
      payload: "",
      body: null,
      response_start: null,
    });
    return summary satisfies DeliverySummary;
  });
  const next: DeliveryCursor | null = last === undefined || rows.length <= limit ? null : [last.created_at, last.number];
  return { deliveries, next };
}

export type AuditRow = { business_id: string; actor: string; action: string; subject: string; at: number };
export const AUDIT_COLUMNS = "business_id, actor, action, subject, at";
/** The page that `rows` hold, of which one more than `limit` was asked for. */
export function auditPageOf(rows: readonly (AuditRow & { readonly number: number })[], limit: number): AuditPage {
  const shown = rows.slice(0, limit);
  return { entries: shown.map(auditOf), next: rows.length > limit ? (shown.at(-1)?.number ?? null) : null };
}

export const auditOf = (row: AuditRow): AuditEntry => ({
  businessId: row.business_id,
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  at: row.at,
});
