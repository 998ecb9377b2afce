import type { TObject } from "typebox";
import type { AnyRoute } from "../route.ts";
import { EXAMPLE } from "../wire/example.ts";
import type { SchemaComponents } from "./components.ts";
import { buildExample } from "./example.ts";
import type { Json } from "./json.ts";
import { buildParameters } from "./parameters.ts";
import { buildResponses } from "./responses.ts";

/** The security schemes of the document, and which of them a route accepts. */
export const SECURITY_SCHEMES: Json = {
  key: { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key of the business." },
  bearer: { type: "http", scheme: "bearer", description: "The same API key as a bearer token." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-tessera_session",
    description: "The session of a person who is logged in. Over plain HTTP, except on loopback addresses, the cookie is tessera_session.",
  },
};
const KEY = [{ key: [] }, { bearer: [] }];
const SESSION = [{ session: [] }];
/** What operations accept that do not say otherwise. */
export const DEFAULT_SECURITY = [...KEY, ...SESSION];

/** What senders post that do not know this document. */
const ANY_BODY: Json = {
  required: true,
  content: {
    "application/json": { schema: { type: "object" }, example: { html_url: EXAMPLE.url, title: "Lighthouse" } },
    "application/x-www-form-urlencoded": { schema: { type: "object" } },
    "multipart/form-data": { schema: { type: "object" } },
    "text/plain": { schema: { type: "string" } },
    "message/rfc822": { schema: { type: "string" } },
  },
};

const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

function buildSecurity({ isPublic, hasToken, isMembersOnly, isKeysOnly, isLenient }: AnyRoute): readonly object[] | undefined {
  if ((isPublic ?? hasToken) === true) return [];
  if (isMembersOnly === true) return SESSION;
  return isKeysOnly === true || isLenient === true ? KEY : undefined;
}

/** A route as an operation of the document. */
export function describeOperation(route: AnyRoute, components: SchemaComponents): Json {
  const security = buildSecurity(route);
  const parameters = buildParameters(route, components);
  const requestBody = buildRequestBody(route, components);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    ...(security === undefined ? {} : { security }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: buildResponses(route, components),
  };
}

function buildRequestBody({ body, form, isLenient, keepsBody }: AnyRoute, components: SchemaComponents): Json | undefined {
  if (keepsBody === true) return ANY_BODY;
  if (form !== undefined)
    return { required: true, content: { "multipart/form-data": { schema: components.write(withFile(form), "request") } } };
  if (body === undefined || Object.keys(body.properties).length === 0) return undefined;
  const media = { schema: components.write(body, "request"), example: buildExample(body as unknown as Json) };
  // The fields are the same, so the form refers to the same schema; nested values can't be sent as form fields.
  const isFlat = Object.values(body.properties).every((property) => (property as { type?: unknown }).type !== "array");
  return {
    required: (body.required ?? []).length > 0 || (body as { minProperties?: number }).minProperties !== undefined,
    content: {
      "application/json": media,
      ...(isLenient === true && isFlat ? Object.fromEntries(FORM_TYPES.map((type) => [type, { schema: media.schema }])) : {}),
    },
  };
}

const withFile = (fields: TObject): object => ({
  ...fields,
  properties: { ...fields.properties, file: { type: "string", format: "binary", description: "The file." } },
  required: [...(fields.required ?? []), "file"],
});
