import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { ownerOfRequest } from "../request/byte-shares.ts";
import type { ResponseMemory } from "../response/response-memory.ts";
import type { OpenApiDocument } from "./document.ts";

/** What a response of the page may hold: the document, or pieces of a file that is streamed. */
const RESPONSE_BYTES = 262_144;

/** Only files of this server. Without upgrade-insecure-requests, so that the page also works over plain HTTP on a local network. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the document as a page at `/docs`, where calls can be tried with a key. */
export async function addDocsPage(app: FastifyInstance, document: OpenApiDocument, responses: ResponseMemory): Promise<void> {
  await app.register(swagger, { mode: "static", specification: { document: document as never } });
  await app.register(async (page) => {
    page.addHook("onRequest", (request, reply, done) => (responses.hold(reply.raw, ownerOfRequest(request), RESPONSE_BYTES), done()));
    await page.register(swaggerUi, {
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
  });
}
