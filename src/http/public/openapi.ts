import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import type { TObject } from "typebox";
import type { AnyRoute } from "../route.ts";

/** Only files of this server. Without upgrade-insecure-requests, so that the page also works over plain HTTP on a local network. */
const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ERRORS = {
  400: "The request is invalid. The message starts with the name of the field.",
  401: "The API key is missing or invalid.",
  402: "The token budget of the key for this month is spent.",
  403: "The key has no permission for this call or this board.",
  404: "The resource does not exist.",
  409: "The request conflicts with the current state of the resource.",
  429: "Too many requests. Retry-After says when to try again.",
} as const;

/**
 * Generates the OpenAPI document from the schemas of the routes, and serves it as a page at `/docs`. If `baseUrl` is empty, the document
 * uses relative URLs.
 */
export async function addOpenApi(app: FastifyInstance, baseUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tessera",
        version: "1",
        description:
          'Tessera turns links, files and notes into text, and answers questions about them with verified quotes. Boards contain zones and tiles; a tile is a note, a link or a file. Errors have the body `{ "error": message }`.',
        license: { name: "MIT" },
      },
      servers: [{ url: baseUrl === "" ? "/" : baseUrl }],
      components: {
        securitySchemes: {
          key: { type: "apiKey", in: "header", name: "X-API-Key" },
          bearer: { type: "http", scheme: "bearer" },
        },
      },
      security: [{ key: [] }, { bearer: [] }],
    },
    transform({ schema, url }) {
      return {
        schema: schema === undefined ? schema : { ...schema, response: { ...(schema.response as object), ...errorResponses() } },
        url,
      };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: true,
    transformStaticCSP: () => DOCS_CSP,
    theme: { title: "Tessera API" },
    uiConfig: { layout: "BaseLayout", docExpansion: "list", displayRequestDuration: true, persistAuthorization: false, validatorUrl: null },
  });
}

function errorResponses(): object {
  const schema = { type: "object", properties: { error: { type: "string" } }, required: ["error"] };
  return Object.fromEntries(Object.entries(ERRORS).map(([status, description]) => [status, { ...schema, description }]));
}

/** The description of a route in the OpenAPI document. */
export function describeRoute(route: AnyRoute): object {
  return {
    ...(route.isHidden === true ? { hide: true } : {}),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(hasProperties(route.body) ? { body: route.body } : {}),
    ...(route.form === undefined ? {} : { consumes: ["multipart/form-data"], body: addFileField(route.form) }),
    ...(hasProperties(route.query) ? { querystring: route.query } : {}),
    response: { 200: route.response, ...(route.mayReturnAccepted === true ? { 202: route.response } : {}) },
  };
}

const hasProperties = (schema: TObject | undefined): schema is TObject => schema !== undefined && Object.keys(schema.properties).length > 0;

const addFileField = (fields: TObject): object => ({
  ...fields,
  properties: { ...fields.properties, file: { type: "string", format: "binary", description: "The file." } },
  required: ["file"],
});
