import { type Static, Type } from "typebox";
import { invalidField } from "#domain/core/errors/error.ts";
import { isoTime } from "#domain/core/system.ts";
import { MAX_POSITION, ZONE_COLORS, ZONE_SIZES, type Zone, type ZonePatch, isEmoji } from "#domain/content/zone.ts";
import { type InputLimits, type Output, choice, choiceOrNull, entity, nameInput, nextCursor, object, orNull, time } from "./schema.ts";
import { EXAMPLE } from "./example.ts";
import { lostExternalIds } from "./tiles/tile.ts";

const ZONE = entity(
  "Zone",
  {
    id: Type.String(),
    boardId: Type.String(),
    name: Type.String(),
    sortOrder: Type.Integer(),
    connectedToChat: Type.Boolean(),
    color: choiceOrNull(ZONE_COLORS, { title: "ZoneColor" }),
    emoji: orNull("string"),
    size: choice(ZONE_SIZES, { title: "ZoneSize" }),
    createdAt: time,
    updatedAt: time,
  },
  {
    examples: [
      {
        id: EXAMPLE.zoneId,
        boardId: EXAMPLE.boardId,
        name: "Sources",
        sortOrder: 0,
        connectedToChat: true,
        color: "teal",
        emoji: "⚓",
        size: "md",
        createdAt: EXAMPLE.created,
        updatedAt: EXAMPLE.created,
      },
    ],
  },
);

export const ZONE_RESPONSES = {
  zone: object({ zone: ZONE }),
  zones: object({ zones: Type.Array(ZONE), nextCursor }),
  restored: object({ zone: ZONE, lostExternalIds }),
};

export const presentZone = (zone: Zone): Output<typeof ZONE> => ({
  id: zone.id,
  boardId: zone.boardId,
  name: zone.name,
  sortOrder: zone.sortOrder,
  connectedToChat: zone.connectedToChat,
  color: zone.color,
  emoji: zone.emoji,
  size: zone.size,
  createdAt: isoTime(zone.createdAt),
  updatedAt: isoTime(zone.updatedAt),
});

export function createZoneInputs({ name }: InputLimits) {
  const fields = {
    connected_to_chat: Type.Optional(Type.Boolean({ description: "Whether the content of the zone is used to answer questions." })),
    color: Type.Optional(choiceOrNull(ZONE_COLORS, { title: "ZoneColor", description: "A color, or null for none." })),
    emoji: Type.Optional(orNull("string", { maxLength: 64, description: "One emoji, or null for none." })),
    size: Type.Optional(choice(ZONE_SIZES, { title: "ZoneSize", description: "The width of the zone on the page." })),
    sort_order: Type.Optional(
      Type.Integer({ minimum: -MAX_POSITION, maximum: MAX_POSITION, description: "The position of the zone on its board." }),
    ),
  };
  return {
    create: Type.Object(
      { name: nameInput(name, "missing", "The name of the zone."), ...fields },
      { examples: [{ name: "Sources", connected_to_chat: true, color: "teal" }] },
    ),
    update: Type.Object(
      { name: Type.Optional(nameInput(name, "refused", "The name of the zone.")), ...fields },
      { examples: [{ connected_to_chat: false }] },
    ),
  };
}

/** Returns the change that a request body describes; throws 400 for an emoji that is not one emoji. */
export function readZonePatch(body: Partial<Static<ReturnType<typeof createZoneInputs>["update"]>>): ZonePatch {
  const { name, connected_to_chat: connectedToChat, color, emoji, size, sort_order: sortOrder } = body;
  if (typeof emoji === "string" && !isEmoji(emoji)) throw invalidField("emoji", "must be one emoji or null.");
  const given = Object.entries({ name, connectedToChat, color, emoji, size, sortOrder }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ZonePatch;
}
