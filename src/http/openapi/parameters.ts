import type { TObject } from "typebox";
import type { AnyRoute, RequestHeader } from "../route.ts";
import type { SchemaComponents } from "./components.ts";
import type { Json } from "./json.ts";

/** Without `example`: the page at `/docs` would send it as the value, and so a second creation would be 409, and a change 412. */
const HEADERS: Readonly<Record<RequestHeader, Json>> = {
  "Idempotency-Key": {
    description:
      "Any text of your own, such as order-4711. A call with the same key within 24 hours creates nothing and returns the stored response, with Idempotency-Replayed: true. It returns 409 if that response contained a secret, while the first call is running, or if the body is different.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  "If-Match": {
    description:
      'The ETag of the version that the change is based on, such as "3". If it was changed since, the response is 412 and nothing changes.',
    schema: { type: "string" },
  },
  "If-None-Match": {
    description: 'The ETag of an earlier response, such as "f3b1c2". If nothing changed since, the response is 304 without a body.',
    schema: { type: "string" },
  },
  Prefer: {
    description: "respond-async returns 202 immediately; the response then has Preference-Applied.",
    schema: { type: "string" },
  },
};

/** What the parameters of paths are. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  boardId: "The id of the board.",
  zoneId: "The id of the zone.",
  tileId: "The id of the tile.",
  generationId: "The id of the generation.",
  keyId: "The id of the API key.",
  addressId: "The id of the inbound address.",
  memberId: "The id of the member.",
  invitationId: "The id of the invitation.",
  sessionId: "The id of the session.",
  deliveryId: "The id of the delivery.",
  webhookId: "The id of the webhook.",
  token: "What the URL of the inbound address ends with.",
};

/** The headers that several operations accept, for `components.parameters`. */
export const headerParameters = (): Json =>
  Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [name, { name, in: "header", required: false, ...header }]));

/** The parameters of an operation: of its path, its query and its headers. Throws for an id that has no description. */
export function buildParameters(route: AnyRoute, components: SchemaComponents): readonly Json[] {
  const ids = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const unknown = ids.find((name) => DESCRIPTIONS[name] === undefined);
  if (unknown !== undefined) throw new Error(`The parameter ${unknown} of ${route.path} has no description.`);
  return [
    // Stated in place, since some readers do not follow references here.
    ...ids.map((name) => ({ name, in: "path", required: true, description: DESCRIPTIONS[name], schema: { type: "string" } })),
    ...(route.query === undefined ? [] : queryParameters(route.query, components)),
    ...listRequestHeaders(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

const listRequestHeaders = (route: AnyRoute): readonly RequestHeader[] =>
  mayBeNotModified(route) ? [...(route.headers ?? []), "If-None-Match"] : (route.headers ?? []);

/** Whether `If-None-Match` can get 304. */
export const mayBeNotModified = ({ method, isRevalidated, isVersioned, isTagged }: AnyRoute): boolean =>
  isRevalidated === true || (method === "GET" && (isVersioned ?? isTagged) === true);

function queryParameters({ properties, required }: TObject, components: SchemaComponents): readonly Json[] {
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = components.write(property, "request");
    return {
      name,
      in: "query",
      required: required?.includes(name) ?? false,
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}
