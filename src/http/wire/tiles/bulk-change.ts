import { type TSchema, Type } from "typebox";
import { BULK_ACTIONS, type BulkAction, type BulkFilter } from "#domain/content/changes.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import { parseProperties } from "#domain/labels/properties.ts";
import { type Parsed, parseTags } from "#domain/labels/tags.ts";
import { MAX_POSITION } from "#domain/content/zone.ts";
import type { BulkResult } from "#service/content/bulk.ts";
import { requireKnownFields } from "../../request/ignored-fields.ts";
import { readTime } from "../../request/time.ts";
import { readObject } from "../../request/schema-reader.ts";
import { entity, orNull } from "../schema.ts";
import { PROPERTIES_FILTER, TAG_FILTER, readLabelFilter, readPropertiesFilter } from "./label-filter.ts";
import { lostExternalIds, presentLost } from "./tile.ts";
import { OPTION_INPUTS, requireValid } from "./tile-options.ts";
import { SOURCE_FILTER, TILE_QUERY, readZoneFilter } from "./tile-query.ts";
import { EXAMPLE } from "../example.ts";

const MAX_IDS = 10_000;

/** An optional field that must have a value if it is given: without it, the call changes more tiles than intended. */
const neverEmpty = <S extends TSchema>(schema: S, advice: string) => Type.Optional({ ...schema, "x-empty": advice } as S);

const condition = <S extends TSchema>(schema: S) => neverEmpty(schema, "Leave it out to match tiles with any value.");
const ids = () => condition(Type.Array(Type.String(), { maxItems: MAX_IDS, minItems: 1, description: "Only these tiles." }));
const before = (description: string) => condition(Type.String({ format: "date-time", description }));

const FILTER = Type.Object(
  {
    tile_ids: ids(),
    external_ids: ids(),
    zone_id: condition(Type.String({ description: "Only tiles of this zone of the board; none for those outside zones." })),
    status: condition(TILE_QUERY.properties.status),
    type: condition(TILE_QUERY.properties.type),
    tag: condition(TAG_FILTER),
    properties: condition(PROPERTIES_FILTER),
    source_id: condition(SOURCE_FILTER),
    created_before: before("Only tiles created before this time."),
    updated_before: before("Only tiles last changed before this time."),
  },
  { description: "At least one field. A tile matches if it meets all of them.", minProperties: 1 },
);

const ACTION = Type.Object(
  {
    move_to: Type.Optional(orNull("string", { description: "Moves the tiles to this zone; null removes them from their zones." })),
    sort_orders: Type.Optional(
      Type.Array(Type.Integer(), {
        description: "With move_to and filter.tile_ids: the position of each of these tiles, in the same order.",
      }),
    ),
    add_tags: OPTION_INPUTS.tags,
    remove_tags: OPTION_INPUTS.tags,
    set_properties: OPTION_INPUTS.properties,
    delete: Type.Optional(Type.Boolean({ description: "true deletes the tiles. They can be restored for 30 days." })),
    restore: Type.Optional(Type.Boolean({ description: "true restores deleted tiles that match." })),
    retry: Type.Optional(Type.Boolean({ description: "true reads links and uploads again." })),
    connected_to_chat: Type.Optional(orNull("boolean", { description: "Sets connected_to_chat of the tiles." })),
  },
  { description: "Exactly one action." },
);

export const BULK_RESPONSE = entity(
  "BulkResult",
  {
    matched: Type.Integer({ minimum: 0 }),
    changed: Type.Integer({ minimum: 0 }),
    tileIds: Type.Array(Type.String(), { maxItems: 1_000, description: "The first 1,000 tiles that matched." }),
    lostExternalIds,
    overLimit: Type.Optional(
      Type.Array(Type.String(), {
        description: "The first 1,000 tiles that stay as they are: they would have too many tags or properties.",
      }),
    ),
  },
  { examples: [{ matched: 1, changed: 1, tileIds: [EXAMPLE.tileId] }] },
);

/** Returns the response of a bulk change, with up to `maxIds` ids in each list. Empty lists beside `tileIds` are left out. */
export const presentBulkResult = ({ tileIds, lostExternalIds, overLimit, ...counts }: BulkResult, maxIds = Infinity) => ({
  ...counts,
  tileIds: tileIds.slice(0, maxIds),
  ...presentLost(lostExternalIds.slice(0, maxIds)),
  ...(overLimit.length === 0 ? {} : { overLimit: overLimit.slice(0, maxIds) }),
});

export const BULK_BODY = Type.Object(
  {
    filter: FILTER,
    action: ACTION,
    dry_run: neverEmpty(
      Type.Boolean({ description: "true changes nothing and returns what would match." }),
      "Leave it out to make the change.",
    ),
  },
  { examples: [{ filter: { status: "failed" }, action: { retry: true }, dry_run: true }] },
);

/**
 * Reads the filter of a bulk change. Throws 400 for invalid fields, and also for unknown, null and blank ones: ignoring them would match
 * more tiles than intended.
 */
export function readFilter(value: unknown): BulkFilter {
  const given = readPart("filter", FILTER, value);
  const {
    tile_ids: tileIds,
    external_ids: externalIds,
    zone_id: zoneId,
    status,
    type,
    source_id: sourceId,
    created_before: createdBefore,
    updated_before: updatedBefore,
  } = given;
  if (Object.keys(given).length === 0) throw invalidField("filter", `needs at least one of ${Object.keys(FILTER.properties).join(", ")}.`);
  checkIds("tile_ids", tileIds);
  checkIds("external_ids", externalIds);
  return {
    ...(tileIds === undefined ? {} : { tileIds }),
    ...(externalIds === undefined ? {} : { externalIds }),
    ...(zoneId === undefined ? {} : { zoneId: readZoneFilter(zoneId) }),
    ...(status === undefined ? {} : { statuses: status }),
    ...(type === undefined ? {} : { types: type }),
    ...readLabelFilter(given.tag, readPropertiesFilter(given.properties)),
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(createdBefore === undefined ? {} : { createdBefore: readTime("created_before", createdBefore) }),
    ...(updatedBefore === undefined ? {} : { updatedBefore: readTime("updated_before", updatedBefore) }),
  };
}

/** Throws 400 for ids that no database stores. */
export function checkIds(field: string, ids: readonly unknown[] = []): void {
  for (const id of ids) {
    if (typeof id !== "string") throw invalidField(field, "must be an array of strings.");
    if (!id.isWellFormed() || id.includes("\0")) throw invalidField(field, "must be valid Unicode without NUL.");
  }
}

/** Reads the action of a bulk change. Throws 400 unless there is exactly one. */
export function readAction(value: unknown, filter: BulkFilter): BulkAction {
  const given = readPart("action", ACTION, value);
  const { move_to: zoneId, sort_orders: positions, connected_to_chat: connectedToChat } = given;
  const chosen = BULK_ACTIONS.filter((action) => given[action] !== undefined);
  const [name] = chosen;
  if (name === undefined || chosen.length > 1) throw invalidField("action", `must have exactly one of ${BULK_ACTIONS.join(", ")}.`);
  if (positions !== undefined && name !== "move_to") throw invalidField("sort_orders", "needs move_to.");
  if (name === "move_to") {
    const sortOrders = positions === undefined ? {} : { sortOrders: readPositions(positions, filter.tileIds) };
    return { kind: "move", zoneId: zoneId ?? null, ...sortOrders };
  }
  if (name === "connected_to_chat") return { kind: "connect", connectedToChat: connectedToChat ?? null };
  if (name === "add_tags" || name === "remove_tags") return { kind: name, tags: requireSome(name, parseTags(given[name])) };
  if (name === "set_properties") return { kind: name, properties: requireSome(name, parseProperties(given[name])) };
  if (given[name] !== true) throw invalidField(name, "must be true.");
  return { kind: name };
}

/** Throws 400 for an invalid value, and for one without items: the action would change nothing. */
function requireSome<Value extends object>(name: string, parsed: Parsed<Value>): Value {
  const value = requireValid(name, parsed);
  if (Object.keys(value).length === 0) throw invalidField(name, "must not be empty.");
  return value;
}

function readPositions(positions: readonly unknown[], tileIds: readonly string[] = []): ReadonlyMap<string, number> {
  if (positions.length !== tileIds.length) throw invalidField("sort_orders", "must have one number for each of filter.tile_ids.");
  return new Map(
    positions.map((position, index) => {
      if (typeof position !== "number" || !Number.isInteger(position) || Math.abs(position) > MAX_POSITION)
        throw invalidField("sort_orders", `must be whole numbers from ${-MAX_POSITION} to ${MAX_POSITION}.`);
      return [tileIds[index] ?? "", position];
    }),
  );
}

function readPart<S extends typeof FILTER | typeof ACTION>(name: string, schema: S, value: unknown): ReturnType<typeof readObject<S>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalidField(name, "must be an object.");
  requireKnownFields(schema, value, `${name}.`);
  return readObject(schema, value);
}
