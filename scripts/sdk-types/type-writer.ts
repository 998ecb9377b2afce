/** The subset of JSON Schema that the routes use. */
export type Schema = {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};

/** Requests have camelCase names and accept Date. */
export type Direction = "request" | "response";

export type TypeWriter = {
  /** The TypeScript type of a schema. Schemas with a title become named types. */
  write(schema: Schema, direction: Direction): string;
  /** The declarations of the named types. */
  declarations(): string;
  names(): string[];
};

const OPEN = `/** A string of a list that newer servers may extend: editors complete the known values, and others still type-check. */
export type Open<Known extends string> = Known | (string & Record<never, never>);
`;

/** A comment line, or nothing. */
function docComment(description: string | undefined): string {
  // The type `Open` says it already.
  const text = description?.replace(/(?:^| )New values may be added\.$/, "") ?? "";
  return text === "" ? "" : `/** ${text.replaceAll("*/", "* /")} */\n`;
}

/** `resolve` returns the schema that a `$ref` names. */
export function createTypeWriter(resolve: (reference: string) => Schema): TypeWriter {
  const named = new Map<string, string>();

  function write(schema: Schema, direction: Direction): string {
    const { title, $ref } = schema;
    if ($ref !== undefined) return write(resolve($ref), direction);
    if (isNullable(schema)) return `${write(withoutNull(schema), direction)} | null`;
    if (title === undefined) return isStringEnum(schema) ? openEnum(writeLiterals(schema.enum)) : writeShape(schema, direction);
    const isEnum = schema.enum !== undefined;
    declare(title, `${isEnum ? "" : docComment(schema.description)}export type ${title} = ${writeShape(schema, direction)};\n`);
    return isEnum ? openEnum(title) : title;
  }

  function declare(title: string, declaration: string): void {
    if (named.has(title) && named.get(title) !== declaration) throw new Error(`Two different schemas have the title ${title}.`);
    named.set(title, declaration);
  }

  function writeShape(schema: Schema, direction: Direction): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return writeLiterals(schema.enum);
    if (schema.anyOf !== undefined) return schema.anyOf.map((one) => write(one, direction)).join(" | ");
    switch (schema.type) {
      case "string":
        return schema.format === "binary" ? "Blob" : schema.format === "date-time" && direction === "request" ? "string | Date" : "string";
      case "integer":
      case "number":
        return "number";
      case "boolean":
      case "null":
        return schema.type;
      case "array":
        return `readonly (${write(schema.items ?? {}, direction)})[]`;
      case "object":
        return writeObject(schema, direction);
      default:
        return "unknown";
    }
  }

  function writeObject({ properties = {}, required = [], additionalProperties }: Schema, direction: Direction): string {
    const entries = Object.entries(properties);
    if (entries.length === 0 && typeof additionalProperties === "object")
      return `Readonly<Record<string, ${write(additionalProperties, direction)}>>`;
    const lines = entries.map(([name, property]) => {
      const isRequired = required.includes(name);
      // Callers may pass undefined for a request field that is to be left out.
      const type = write(property, direction) + (isRequired || direction === "response" ? "" : " | undefined");
      return `${docComment(property.description)}readonly ${direction === "request" ? toCamelCase(name) : name}${isRequired ? "" : "?"}: ${type};`;
    });
    return `{\n${lines.join("\n")}\n}`;
  }

  const names = (): string[] => [...named.keys()].toSorted();

  return {
    write,
    declarations: () => [OPEN, ...names().map((name) => named.get(name))].join("\n"),
    names,
  };
}

const isStringEnum = (schema: Schema): schema is Schema & { readonly enum: readonly string[] } =>
  schema.enum?.every((value) => typeof value === "string") === true;

/** Newer servers may return and accept more values. */
const openEnum = (type: string): string => `Open<${type}>`;

const writeLiterals = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(" | ");

const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes("null");

function withoutNull({ type, ...schema }: Schema): Schema {
  const [single] = (type as readonly string[]).filter((one) => one !== "null");
  return {
    ...schema,
    ...(single === undefined ? {} : { type: single }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum.filter((value) => value !== null) }),
  };
}

const toCamelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
