import type { Json } from "./json.ts";

/** What a property without an example of its own shows. */
const TIME = "2026-11-02T08:15:00.000Z";

/**
 * An example of a value that fits a schema: its own one where it has one, else one of its parts. Optional properties are included where
 * they have an example. `index` chooses among several examples of a schema.
 */
export function buildExample(schema: Json, index = 0): unknown {
  const own = ownExample(schema, index);
  if (own !== undefined) return own;
  const { anyOf, items, properties, required } = schema as {
    readonly anyOf?: readonly Json[];
    readonly items?: Json;
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  if (anyOf !== undefined) return buildExample(anyOf[0] ?? {}, index);
  if (items !== undefined) return [buildExample(items, index)];
  if (properties === undefined) return exampleOfType(schema);
  const shown = Object.entries(properties).filter(([name, property]) => required?.includes(name) || ownExample(property) !== undefined);
  return Object.fromEntries(shown.map(([name, property]) => [name, buildExample(property, index)]));
}

const ownExample = ({ examples }: Json, index = 0): unknown => (Array.isArray(examples) ? (examples[index] ?? examples[0]) : undefined);

function exampleOfType(schema: Json): unknown {
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  const { type, format, minimum } = schema;
  if (Array.isArray(type) && type.includes("null")) return null;
  switch (type) {
    case "integer":
    case "number":
      return minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    case "null":
      return null;
    default:
      return format === "date-time" ? TIME : "text";
  }
}
