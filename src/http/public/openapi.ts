import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";

/** Only what the install serves; no upgrade to https, so that the page works on a plain address of one's own network too. */
const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ERRORS = {
  400: "The request is wrong; the message names the field first.",
  401: "The key is missing or invalid.",
  402: "The key's budget of tokens for this month is spent.",
  403: "The key may not do this, or not on this board.",
  404: "What the path or body names does not exist.",
  409: "It conflicts with the state of the thing.",
  429: "Too many requests; Retry-After tells when to try again.",
} as const;

/** Adds `/openapi.json`, made from the routes' own schemas, and `/docs`, served from the install; `baseUrl` empty means the address it was asked under. */
export async function addOpenApi(app: FastifyInstance, baseUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tessera",
        version: "1",
        description:
          'Boards, zones and tiles; links become text in the background; questions are answered with quotes. Every error is `{ "error": message }`.',
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
