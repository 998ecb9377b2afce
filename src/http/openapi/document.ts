import { VERSION } from "#domain/core/version.ts";
import type { AnyRoute } from "../route.ts";
import { SchemaComponents } from "./components.ts";
import type { Json } from "./json.ts";
import { DEFAULT_SECURITY, SECURITY_SCHEMES, describeOperation } from "./operation.ts";
import { headerParameters } from "./parameters.ts";
import { sharedHeaders, sharedResponses } from "./responses.ts";
import { shareSuccesses } from "./shared-successes.ts";
import { TAGS, describeTags } from "./tags.ts";
import { describeWebhooks, webhookParameters } from "./webhooks.ts";

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = Json & { readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>> };

const DESCRIPTION = `Tessera turns links, files and notes into text, and answers questions about them with verified quotes.

- **Authentication**: send an API key as \`X-API-Key\` or as a bearer token. Settings need the session of a person.
- **Names**: request fields are snake_case (camelCase is accepted too), response fields camelCase. Times are ISO 8601 in UTC, with milliseconds.
- **Errors** have the body \`{ "error": message }\`, and a code in \`X-Error-Code\`. With \`Accept: application/problem+json\` the body is a problem document. After 429 and 503, \`Retry-After\` says when to try again.
- **Unknown fields** of the query and the body are named in \`X-Ignored-Fields\`. With \`Prefer: handling=strict\`, and always in calls that change many things at once, they are 400.
- **HEAD** is answered wherever GET is.
- **Compatibility**: responses are open. They may gain fields, lists of values new ones, and requests optional fields. From 1.0.0, nothing else changes within a major version.
- **Lists**: with \`limit\`, a response has \`nextCursor\`; send it as \`cursor\` to get the next page.
- **Retries**: creations accept an \`Idempotency-Key\`; a repeated call creates nothing.
- **Agents**: \`POST /mcp\` speaks the Model Context Protocol (streamable HTTP, without sessions) with the same API keys.`;

/**
 * Builds the document from the routes: every operation, schema and example comes from the code that serves it. If `baseUrl`, the public
 * address of the server, is empty, the document uses relative addresses.
 */
export function buildDocument(routes: readonly AnyRoute[], baseUrl: string): OpenApiDocument {
  const components = new SchemaComponents();
  const paths = describePaths(routes, components);
  const webhooks = describeWebhooks(components);
  const headers = sharedHeaders(components);
  const responses = { ...sharedResponses(components), ...shareSuccesses(paths) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Tessera",
      version: VERSION,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Tessera" },
    },
    servers: [{ url: baseUrl === "" ? "/" : baseUrl }],
    tags: describeTags(),
    security: DEFAULT_SECURITY,
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { ...headerParameters(), ...webhookParameters() },
      headers,
      responses,
      schemas: components.collected(),
    },
  };
}

/** Operations by path and method, in the order of their groups. */
function describePaths(routes: readonly AnyRoute[], components: SchemaComponents): OpenApiDocument["paths"] {
  const order = Object.keys(TAGS);
  const shown = routes.filter(({ isHidden }) => isHidden !== true).toSorted((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag));
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of shown) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, components) };
  }
  return paths;
}
