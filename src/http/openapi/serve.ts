import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import type { OpenApiDocument } from "./document.ts";

/** Only files of this server. Without upgrade-insecure-requests, so that the page also works over plain HTTP on a local network. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the document as a page at `/docs`, where calls can be tried with a key. */
export async function addDocsPage(app: FastifyInstance, document: OpenApiDocument): Promise<void> {
  await app.register(swagger, { mode: "static", specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: true,
    transformStaticCSP: () => CSP,
    theme: { title: "Tessera API" },
    uiConfig: {
      layout: "BaseLayout",
      docExpansion: "list",
      displayRequestDuration: true,
      displayOperationId: true,
      filter: true,
      persistAuthorization: false,
      validatorUrl: null,
    },
  });
}
