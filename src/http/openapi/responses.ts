import { ERROR_CODES } from "#domain/core/errors/error-codes.ts";
import type { AnyRoute } from "../route.ts";
import type { SchemaComponents } from "./components.ts";
import { buildExample } from "./example.ts";
import type { Json } from "./json.ts";
import { mayBeNotModified } from "./parameters.ts";

type ErrorResponse = { readonly name: string; readonly description: string; readonly message: string };

const ERRORS = {
  "400": {
    name: "Invalid",
    description: "The request is invalid. The message says what is wrong, and usually starts with the name of the field.",
    message: "name is required.",
  },
  "401": { name: "Unauthorized", description: "The API key or the session is missing or invalid.", message: "Invalid API key." },
  "402": {
    name: "BudgetSpent",
    description: "The token budget of the key for this month is spent.",
    message: "The token budget of this key for the month is spent.",
  },
  "403": {
    name: "Forbidden",
    description: "The caller has no permission for this call or this board.",
    message: "This API key is not authorized for this board.",
  },
  "404": { name: "NotFound", description: "The resource does not exist.", message: "Tile not found." },
  "409": {
    name: "Conflict",
    description: "The request conflicts with the current state of the resource.",
    message: "The tile is still processing.",
  },
  "410": {
    name: "Gone",
    description: "Changes after the cursor are not kept any more, or a backup was restored since.",
    message: "This cursor has expired. Read the listings again, then continue with cursor=now.",
  },
  "412": {
    name: "PreconditionFailed",
    description: "The resource is not the version that If-Match names.",
    message: "It was changed in the meantime. Read it again, then repeat the change.",
  },
  "413": {
    name: "TooLarge",
    description: "The request body or the file is too large.",
    message: "The request body is too large. The maximum is 16 MiB.",
  },
  "415": {
    name: "UnsupportedMediaType",
    description: "The body has a media type or an encoding that the call does not read.",
    message: "Send the request body as application/json.",
  },
  "429": {
    name: "TooManyRequests",
    description: "Too many requests. Retry-After says when to try again, in seconds.",
    message: "Too many requests. The maximum is 6,000 a minute. Try again in 12 s.",
  },
  "500": {
    name: "ServerError",
    description: "The server made an error, which its log describes under the request id.",
    message: "Something went wrong on our side.",
  },
  "502": { name: "ModelFailed", description: "The language model failed.", message: "The language model failed. Try again." },
  "503": {
    name: "Unavailable",
    description: "The server or the language model is not available. Where trying again helps, Retry-After says when, in seconds.",
    message: "The storage is busy. Try again.",
  },
  "504": {
    name: "ModelTooSlow",
    description: "The language model took too long.",
    message: "The language model took too long. Try again.",
  },
  "507": {
    name: "StorageFull",
    description: "The disk of the server is full. Reading works.",
    message: "The disk of the server is full: nothing can be stored until its operator frees some space. Reading works.",
  },
} as const satisfies Readonly<Record<string, ErrorResponse>>;

type ErrorStatus = keyof typeof ERRORS;

const ERROR_SCHEMA = {
  // The name of a type in generated clients, where "Error" would hide the one of the language.
  title: "ErrorBody",
  description: "Every error response: what happened, and what to do.",
  type: "object",
  properties: { error: { type: "string" } },
  required: ["error"],
};

const ERROR_CODE = {
  title: "ErrorCode",
  description: "The code of the error, as in X-Error-Code. Values are only added.",
  type: "string",
  enum: Object.keys(ERROR_CODES),
};

const RETRY_AFTER = { description: "Seconds to wait before the next attempt.", schema: { type: "integer" } };

/** The headers of responses that several operations have, for `components.headers`. */
export const sharedHeaders = (components: SchemaComponents): Json => ({
  ETag: { description: "The version of the resource, for If-Match and If-None-Match.", schema: { type: "string" } },
  "Idempotency-Replayed": {
    description: "true if this is the stored response to an earlier call with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  },
  Location: { description: "The path of the generation.", schema: { type: "string" } },
  "Preference-Applied": { description: "The preferences of Prefer that were applied.", schema: { type: "string" } },
  "WWW-Authenticate": { description: "How to authenticate.", schema: { type: "string" } },
  "X-Error-Code": { description: "What happened, as one word.", schema: components.write(ERROR_CODE, "response") },
});

/** The error responses, for `components.responses`. */
export function sharedResponses(components: SchemaComponents): Json {
  const schema = components.write(ERROR_SCHEMA, "response");
  const entries = Object.entries<ErrorResponse>(ERRORS).map(([status, { name, description, message }]) => [
    name,
    {
      description,
      headers: {
        ...referToHeaders(["X-Error-Code", ...(status === "401" ? ["WWW-Authenticate"] : [])]).headers,
        ...(status === "429" || status === "503" ? { "Retry-After": RETRY_AFTER } : {}),
      },
      content: { "application/json": { schema, example: { error: message } } },
    },
  ]);
  return { ...Object.fromEntries(entries), NotModified: { description: "Nothing changed since the ETag of If-None-Match." } };
}

/** The responses of an operation by status. */
export function buildResponses(route: AnyRoute, components: SchemaComponents): Json {
  return {
    ...(route.accepts === "always" ? {} : { "200": { description: "Success.", ...buildSuccess(route, components) } }),
    ...(route.accepts === undefined
      ? {}
      : { "202": { description: "Accepted. It continues in the background.", ...buildAccepted(route, components) } }),
    ...(mayBeNotModified(route) ? { "304": { $ref: "#/components/responses/NotModified" } } : {}),
    ...Object.fromEntries(listErrors(route).map((status) => [status, { $ref: `#/components/responses/${ERRORS[status].name}` }])),
  };
}

function listErrors(route: AnyRoute): readonly ErrorStatus[] {
  // Asking changes nothing, and logging in conflicts with nothing.
  const mayConflict = route.method !== "GET" && route.isPublic !== true && !route.path.endsWith("/ask");
  const hasBody = route.body !== undefined || route.form !== undefined || route.keepsBody === true;
  const hasInput = hasBody || route.query !== undefined || route.headers?.includes("Idempotency-Key") === true;
  const callsModel = route.rateLimit === "ask";
  const possible: readonly (readonly [ErrorStatus, boolean])[] = [
    ["400", hasInput],
    ["401", route.isPublic !== true || route.path.endsWith("/session")],
    ["402", callsModel],
    ["403", true],
    ["404", route.path.includes(":") || route.mayBeMissing === true || namesResources(route)],
    ["409", mayConflict],
    ["410", route.mayExpire === true],
    ["412", route.headers?.includes("If-Match") === true],
    ["413", hasBody],
    ["415", hasBody],
    ["429", true],
    // Listed one by one: code that generators write for "5XX" does not compile everywhere.
    ["500", true],
    ["502", callsModel],
    ["503", true],
    ["504", callsModel],
    ["507", mayConflict],
  ];
  return possible.filter(([, isPossible]) => isPossible).map(([status]) => status);
}

/** Whether the call names a board or a zone in its body or query. */
const namesResources = ({ body, query }: AnyRoute): boolean =>
  ["board_id", "zone_id", "tiles", "filter"].some((name) => name in (body?.properties ?? {}) || name in (query?.properties ?? {}));

function buildSuccess(route: AnyRoute, components: SchemaComponents): Json {
  const { response, headers = [], isVersioned, isTagged, isRevalidated, returnsSecret, streams } = route;
  const shown = referToHeaders([
    ...((isVersioned ?? isTagged ?? isRevalidated) === true ? ["ETag"] : []),
    ...(headers.includes("Idempotency-Key") && returnsSecret !== true ? ["Idempotency-Replayed"] : []),
  ]);
  // A response that is not JSON states its content itself.
  const { content, description } = response as { readonly content?: Json; readonly description?: string };
  if (content !== undefined) return { ...shown, description, content };
  const example = buildExample(response as unknown as Json, route.example);
  return {
    ...shown,
    content: {
      "application/json": { schema: components.write(response, "response"), example },
      ...(streams === true ? { "text/event-stream": eventStream(example) } : {}),
    },
  };
}

/** The response while the work continues. It is never a stream. The second example of a response shows it. */
function buildAccepted({ response, headers = [] }: AnyRoute, components: SchemaComponents): Json {
  const shown = referToHeaders(headers.includes("Prefer") ? ["Location", "Preference-Applied"] : []);
  return {
    ...shown,
    content: {
      "application/json": { schema: components.write(response, "response"), example: buildExample(response as unknown as Json, 1) },
    },
  };
}

const referToHeaders = (names: readonly string[]): { readonly headers?: Json } =>
  names.length === 0 ? {} : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };

/** The same response as a stream: `token` events while it is written, then `done` with the whole body. */
const eventStream = (example: unknown): Json => ({
  schema: {
    type: "string",
    description:
      "Server-sent events: token, { text }, for each part of the text; then done, with the body of the JSON response, whose text replaces the tokens, or error, { error, code }.",
  },
  example: `event: token\ndata: {"text":"The lighthouse"}\n\nevent: done\ndata: ${JSON.stringify(example)}\n\n`,
});
