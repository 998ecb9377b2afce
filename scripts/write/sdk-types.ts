import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "oxfmt";
import { buildDocument } from "../../src/http/openapi/document.ts";
import { createRoutes } from "../../src/http/routes/all.ts";
import { type Direction, type Schema, createTypeWriter } from "../sdk-types/type-writer.ts";

/** Where the generated files of the SDK are. */
export const TARGET = fileURLToPath(new URL("../../sdk/src/generated", import.meta.url));

const HEADER = "// Generated from the OpenAPI document by `npm run sdk:types`. Do not edit.\n\n";
/** Limits only change `maxLength`, which types don't express. */
const LIMITS = { name: 1, title: 1, content: 1, question: 1 };

type Named<T> = Readonly<Record<string, T>>;
type Content = Named<{ readonly schema: Schema } | undefined>;
type Parameter = {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Response = { readonly content?: Content };
type Operation = {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Named<Response | { readonly $ref: string }>;
};

/** Writes the types of the SDK. */
export async function run(): Promise<void> {
  mkdirSync(TARGET, { recursive: true });
  for (const [name, text] of Object.entries(await renderSdkTypes())) writeFileSync(join(TARGET, name), text);
}

/** The generated files by name: a type for each named schema, and the requests and responses of each operation. */
export async function renderSdkTypes(): Promise<Readonly<Record<string, string>>> {
  const document = buildDocument(createRoutes(LIMITS), "");
  const { schemas, parameters, responses } = document["components"] as {
    readonly schemas: Named<Schema>;
    readonly parameters: Named<Parameter>;
    readonly responses: Named<Response>;
  };
  const writer = createTypeWriter((reference) => ({ title: nameOf(reference), ...find(schemas, reference) }));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Named<Operation>).map(([method, operation]) => {
      const all = operation.parameters?.map((one) => ("$ref" in one ? find(parameters, one.$ref) : one)) ?? [];
      const success = operation.responses["200"] ?? operation.responses["202"];
      const response = success !== undefined && "$ref" in success ? find(responses, success.$ref) : success;
      return renderOperation(`${method.toUpperCase()} ${path}`, operation, all, response, writer.write);
    }),
  );
  const names = ["Open", ...writer.names()].filter((name) => operations.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  const creations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Named<Operation>)
      .filter(([, operation]) => accepts(operation, "Idempotency-Key") && !accepts(operation, "Prefer"))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  return {
    "creations.ts": await formatFile(
      "creations.ts",
      `/** Creations that a repeated call with the same idempotency key does not repeat. A generation answers 409 while the first call runs. */\nexport const CREATIONS: ReadonlySet<string> = new Set(${JSON.stringify(creations)});\n`,
    ),
    "schemas.ts": await formatFile("schemas.ts", writer.declarations()),
    "operations.ts": await formatFile(
      "operations.ts",
      `import type { ${names.join(", ")} } from "./schemas.ts";\n\n` +
        "/** Every operation of the API. Request fields are in camelCase here; the transport converts them to snake_case. */\n" +
        `export type Operations = {\n${operations.join("\n")}\n};\n`,
    ),
  };
}

/** The component that a reference such as `#/components/schemas/Zone` names. */
function find<T>(components: Named<T>, reference: string): T {
  const found = components[nameOf(reference)];
  if (found === undefined) throw new Error(`The document has no component ${reference}.`);
  return found;
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** Whether an operation accepts this request header. */
const accepts = ({ parameters = [] }: Operation, header: string): boolean =>
  parameters.some((one) => "$ref" in one && one.$ref.endsWith(`/${header}`));

function renderOperation(
  name: string,
  { requestBody }: Operation,
  parameters: readonly Parameter[],
  response: Response | undefined,
  write: (schema: Schema, direction: Direction) => string,
): string {
  const render = (part: string, schema: Schema | undefined, direction: Direction): string =>
    schema === undefined ? "" : `readonly ${part}: ${write(schema, direction)};\n`;
  return [
    `${JSON.stringify(name)}: {\n`,
    render("path", toObjectSchema(parameters, "path"), "request"),
    render("query", toObjectSchema(parameters, "query"), "request"),
    render("body", requestBody?.content["application/json"]?.schema, "request"),
    render("form", requestBody?.content["multipart/form-data"]?.schema, "request"),
    render("response", response?.content?.["application/json"]?.schema, "response"),
    "};",
  ].join("");
}

/** The options of the client describe them, once for all listings. */
const PAGE_PARAMETERS = ["limit", "cursor"];

function toObjectSchema(parameters: readonly Parameter[], place: "path" | "query"): Schema | undefined {
  const given = parameters.filter((parameter) => parameter.in === place);
  if (given.length === 0) return undefined;
  return {
    type: "object",
    properties: Object.fromEntries(
      given.map(({ name, schema, description }) => [
        name,
        description === undefined || PAGE_PARAMETERS.includes(name) ? schema : { ...schema, description },
      ]),
    ),
    required: given.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

async function formatFile(name: string, text: string): Promise<string> {
  const { code, errors } = await format(name, HEADER + text, { printWidth: 140 });
  if (errors.length > 0) throw new Error(`The generated ${name} can't be parsed: ${errors[0]?.message}`);
  return code;
}
