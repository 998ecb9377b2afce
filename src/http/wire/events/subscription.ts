import { type Static, type TSchema, Type } from "typebox";
import { invalidField, missingField } from "#domain/core/errors/error.ts";
import { isoTime } from "#domain/core/system.ts";
import { TILE_TYPES, type TileType } from "#domain/content/tile.ts";
import { FEED_EVENTS } from "#domain/events/event.ts";
import { SUBSCRIPTION_STATUSES, type Subscription, type SubscriptionFilter, type SubscriptionPatch } from "#domain/events/subscription.ts";
import { MAX_TAGS, MAX_TAG_LENGTH, parseTags } from "#domain/labels/tags.ts";
import type { NamedActor } from "#service/settings/audit.ts";
import type { Sample } from "#service/events/samples.ts";
import type { NewSubscription } from "#service/events/subscriptions.ts";
import { type Output, choice, entity, isoOrNull, object, orNull, time, timeOrNull, urlInput } from "../schema.ts";
import { PROPERTIES_FILTER, PROPERTY_TEXTS, readPropertiesFilter, sortProperties } from "../tiles/label-filter.ts";
import { checkIds } from "../tiles/bulk-change.ts";
import { requireValid } from "../tiles/tile-options.ts";
import { tileType } from "../tiles/tile.ts";
import { EXAMPLE } from "../example.ts";
import { actor } from "../settings/audit.ts";
import { EVENT_PAYLOAD, feedEvent, readFeedEvents } from "./change.ts";

const MAX_ITEMS = 100;
const MAX_DESCRIPTION_LENGTH = 500;

const SUBSCRIPTION = entity(
  "Subscription",
  {
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(feedEvent),
    boardId: orNull("string", { description: "Only events of this board; null: of all." }),
    zoneIds: Type.Array(Type.String(), { description: "Only tiles in these zones; empty: all." }),
    types: Type.Array(tileType, { description: "Only tiles of these types; empty: all." }),
    tags: Type.Array(Type.String(), { description: "Only tiles that have all of these tags." }),
    properties: PROPERTY_TEXTS,
    includeTile: Type.Boolean({ description: "Whether events carry the tile, as it is when they are sent." }),
    retries: Type.Boolean({ description: "Whether a failed delivery is tried again, six times within 31 hours." }),
    description: orNull("string"),
    status: choice(SUBSCRIPTION_STATUSES, { title: "SubscriptionStatus" }),
    pausedReason: orNull("string", { description: "Why the server paused it; null if a caller did." }),
    failingSince: orNull("string", { format: "date-time", description: "Null while attempts succeed." }),
    owner: actor,
    overlapUntil: orNull("string", { format: "date-time", description: "Until when the previous secret signs too." }),
    createdAt: time,
    updatedAt: time,
    lastDeliveryAt: timeOrNull,
  },
  {
    examples: [
      {
        ...{ id: EXAMPLE.subscriptionId, url: "https://hooks.example.com/tessera", events: ["tile.ready"], boardId: EXAMPLE.boardId },
        ...{
          zoneIds: [],
          types: [],
          tags: [],
          properties: {},
          includeTile: true,
          retries: true,
          description: "n8n",
          status: "active",
          pausedReason: null,
        },
        ...{ failingSince: null, owner: { kind: "key", id: EXAMPLE.keyId, name: "n8n" } },
        ...{ overlapUntil: null, createdAt: EXAMPLE.created, updatedAt: EXAMPLE.created, lastDeliveryAt: EXAMPLE.later },
      },
    ],
  },
);

const SAMPLE = entity("WebhookSample", { event: feedEvent, payload: EVENT_PAYLOAD, sentAt: time });

export const SUBSCRIPTION_RESPONSES = {
  webhook: object({ webhook: SUBSCRIPTION }),
  webhooks: object({ webhooks: Type.Array(SUBSCRIPTION) }),
  withSecret: entity("SubscriptionSecret", {
    webhook: SUBSCRIPTION,
    secret: Type.String({ description: "The signing secret. It is shown only once.", examples: ["whsec_bWFyaXRpbWU…"] }),
  }),
  samples: object({ samples: Type.Array(SAMPLE) }),
};

export const presentSubscription = (one: Subscription, owner: NamedActor, now: number): Output<typeof SUBSCRIPTION> => ({
  id: one.id,
  url: one.url,
  events: one.events,
  boardId: one.boardId,
  zoneIds: one.zoneIds,
  types: one.types,
  tags: one.tags,
  properties: one.properties,
  includeTile: one.includeTile,
  retries: one.retries,
  description: one.description,
  status: one.status,
  pausedReason: one.pausedReason,
  failingSince: isoOrNull(one.failingSince),
  owner,
  overlapUntil: one.previousUntil !== null && one.previousUntil > now ? isoTime(one.previousUntil) : null,
  createdAt: isoTime(one.createdAt),
  updatedAt: isoTime(one.updatedAt),
  lastDeliveryAt: isoOrNull(one.lastDeliveryAt),
});

export const presentSample = ({ event, payload, sentAt }: Sample): Output<typeof SAMPLE> => ({
  event,
  payload: payload as Output<typeof EVENT_PAYLOAD>,
  sentAt: isoTime(sentAt),
});

const url = urlInput("The address that events are sent to.");
const events = Type.Array(choice(FEED_EVENTS, { title: "FeedEvent" }), {
  minItems: 1,
  maxItems: MAX_ITEMS,
  description: "The events to send.",
});
/** A filter that is a list. null empties it, as it clears `board_id`. */
const list = (items: TSchema, maxItems: number, description: string) =>
  Type.Optional(Type.Unsafe<readonly unknown[] | null>({ type: ["array", "null"], items, maxItems, description }));
const settings = {
  board_id: Type.Optional(orNull("string", { description: "Only this board. A key of one board has that board." })),
  zone_ids: list(Type.String(), MAX_ITEMS, "Only tiles in these zones."),
  types: list(choice(TILE_TYPES, { title: "TileType" }), MAX_ITEMS, "Only these types of tiles."),
  tags: list(Type.String({ maxLength: MAX_TAG_LENGTH }), MAX_TAGS, "Only tiles that have all of these tags."),
  properties: Type.Optional(Type.Unsafe<unknown>({ ...PROPERTIES_FILTER, type: ["object", "null"] })),
  include_tile: Type.Optional(Type.Boolean({ description: "Adds tile to events of tiles. Its texts are cut after 100,000 characters." })),
  retries: Type.Optional(Type.Boolean({ description: "Whether failed deliveries are tried again. Default: true." })),
  description: Type.Optional(orNull("string", { maxLength: MAX_DESCRIPTION_LENGTH, description: "A note for people." })),
};

export const SUBSCRIPTION_INPUTS = {
  create: Type.Object(
    { url, events, ...settings },
    { title: "SubscriptionInput", examples: [{ url: "https://hooks.example.com/tessera", events: ["tile.ready"] }] },
  ),
  update: Type.Object(
    {
      url: Type.Optional({ ...url, "x-blank": "refused" }),
      events: Type.Optional(events),
      ...settings,
      status: Type.Optional(choice(SUBSCRIPTION_STATUSES, { title: "SubscriptionStatus", description: "active resumes, paused pauses." })),
    },
    { title: "SubscriptionPatch", examples: [{ status: "active" }] },
  ),
};

export const SAMPLES_QUERY = Type.Object({
  event: Type.Optional(choice(FEED_EVENTS, { title: "FeedEvent", description: "Default: tile.ready." })),
});

type Fields = Static<typeof SUBSCRIPTION_INPUTS.update>;

/** Returns the settings that a request names. Throws 400 for invalid ones. */
function readSettings(body: Omit<Fields, "status" | "url" | "events">): Omit<SubscriptionPatch, "status" | "url" | "events"> {
  const { board_id: boardId, zone_ids: zoneIds, types, tags, properties, include_tile: includeTile, retries, description } = body;
  return {
    ...(boardId === undefined ? {} : { boardId }),
    ...(zoneIds === undefined ? {} : { zoneIds: readZoneIds(zoneIds ?? []) }),
    ...(types === undefined ? {} : { types: readTypes(types ?? []) }),
    ...(tags === undefined ? {} : { tags: requireValid("tags", parseTags(tags ?? [])) }),
    ...(properties === undefined ? {} : { properties: readProperties(properties ?? {}) }),
    ...(includeTile === undefined ? {} : { includeTile }),
    ...(retries === undefined ? {} : { retries }),
    ...(description === undefined ? {} : { description }),
  };
}

export function readNewSubscription({ url: address, events: names, ...body }: Static<typeof SUBSCRIPTION_INPUTS.create>): NewSubscription {
  return { ...readSettings(body), url: address, events: readEvents(names) };
}

export function readSubscriptionPatch({ url: address, events: names, status, ...body }: Fields): SubscriptionPatch {
  return {
    ...readSettings(body),
    ...(address === undefined ? {} : { url: address }),
    ...(names === undefined ? {} : { events: readEvents(names) }),
    ...(status === undefined ? {} : { status }),
  };
}

function readEvents(names: readonly unknown[]) {
  if (names.length === 0) throw missingField("events");
  return readFeedEvents(names);
}

/** Throws 400 for anything but texts. Whether they are zones is checked when the subscription is stored. */
function readZoneIds(ids: readonly unknown[]): string[] {
  checkIds("zone_ids", ids);
  return [...new Set(ids as readonly string[])];
}

/** Without a key, there is no filter. */
function readProperties(given: unknown): SubscriptionFilter["properties"] {
  const properties = readPropertiesFilter(given) ?? {};
  return Object.keys(properties).length === 0 ? {} : sortProperties(properties);
}

function readTypes(names: readonly unknown[]): TileType[] {
  if (!names.every((name) => TILE_TYPES.some((type) => type === name)))
    throw invalidField("types", `must be some of ${TILE_TYPES.join(", ")}.`);
  return TILE_TYPES.filter((type) => names.includes(type));
}
