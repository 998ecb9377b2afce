import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Fastify from "fastify";
import { format } from "oxfmt";
import { addOpenApi, describeRoute } from "../src/http/public/openapi.ts";
import { createRoutes } from "../src/http/routes/all.ts";
import { type Direction, type Schema, createTypeWriter, docComment } from "./sdk-types/type-writer.ts";

/** Where the generated files of the SDK are. */
export const TARGET = fileURLToPath(new URL("../sdk/src/generated/", import.meta.url));

const HEADER = "// Generated from the OpenAPI document by `npm run sdk:types`. Do not edit.\n\n";
/** Limits only change `maxLength`, which types don't express. */
const LIMITS = { name: 1, title: 1, content: 1, question: 1 };

type Content = Readonly<Record<string, { readonly schema: Schema } | undefined>>;
type Parameter = {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Operation = {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

/** Writes the types of the SDK. */
export async function run(): Promise<void> {
  mkdirSync(TARGET, { recursive: true });
  for (const [name, text] of Object.entries(await renderSdkTypes())) writeFileSync(join(TARGET, name), text);
}

/** The generated files by name: a type for each named schema, and the requests and responses of each operation. */
export async function renderSdkTypes(): Promise<Readonly<Record<string, string>>> {
  const writer = createTypeWriter();
  const paths = Object.entries(await readPaths());
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(`${method.toUpperCase()} ${path}`, operation, writer.write)),
  );
  const names = ["Open", ...writer.names()].filter((name) => operations.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  return {
    "schemas.ts": await formatFile("schemas.ts", writer.declarations()),
    "operations.ts": await formatFile(
      "operations.ts",
      `import type { ${names.join(", ")} } from "./schemas.ts";\n\n` +
        "/** Every operation of the API. Request fields are in camelCase here; the transport converts them to snake_case. */\n" +
        `export type Operations = {\n${operations.join("\n")}\n};\n`,
    ),
  };
}

async function readPaths(): Promise<Readonly<Record<string, Readonly<Record<string, Operation>>>>> {
  const app = Fastify();
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await addOpenApi(app, "");
  for (const route of createRoutes(LIMITS))
    app.route({ method: route.method, url: route.path, schema: describeRoute(route), handler: async () => undefined });
  await app.ready();
  const { paths } = app.swagger();
  await app.close();
  return paths as never;
}

function renderOperation(
  name: string,
  { summary, parameters = [], requestBody, responses }: Operation,
  write: (schema: Schema, direction: Direction) => string,
): string {
  const render = (part: string, schema: Schema | undefined, direction: Direction): string =>
    schema === undefined ? "" : `readonly ${part}: ${write(schema, direction)};\n`;
  return [
    docComment(summary),
    `${JSON.stringify(name)}: {\n`,
    render("path", objectOf(parameters, "path"), "request"),
    render("query", objectOf(parameters, "query"), "request"),
    render("body", requestBody?.content["application/json"]?.schema, "request"),
    render("form", requestBody?.content["multipart/form-data"]?.schema, "request"),
    render("response", responses["200"]?.content?.["application/json"]?.schema, "response"),
    "};",
  ].join("");
}

function objectOf(parameters: readonly Parameter[], place: "path" | "query"): Schema | undefined {
  const given = parameters.filter((parameter) => parameter.in === place);
  if (given.length === 0) return undefined;
  return {
    type: "object",
    properties: Object.fromEntries(
      given.map(({ name, schema, description }) => [name, description === undefined ? schema : { ...schema, description }]),
    ),
    required: given.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

async function formatFile(name: string, text: string): Promise<string> {
  const { code, errors } = await format(name, HEADER + text, { printWidth: 140 });
  if (errors.length > 0) throw new Error(`The generated ${name} can't be parsed: ${errors[0]?.message}`);
  return code;
}
