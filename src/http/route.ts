import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import type { SecretKeyState } from "#domain/settings/secret-key.ts";
import type { Deps } from "#service/deps.ts";
import type { GenerationRunner } from "#service/generation/runner.ts";
import type { Thumbnails } from "#service/content/thumbnails.ts";
import type { LogInThrottle } from "#service/people/log-in-throttle.ts";
import type { RateLimiter } from "#service/rate-limit.ts";
import type { AccessWatch } from "./auth/access-watch.ts";
import type { CsrfGuard } from "./auth/csrf-guard.ts";
import type { DeviceCookie } from "./auth/device-cookie.ts";
import type { HostGuard, LinkBase } from "./auth/host-guard.ts";
import type { SessionCookie } from "./auth/session-cookie.ts";
import type { ListingCache } from "./listing/listing-cache.ts";
import type { CursorCodec } from "./listing/cursor.ts";
import type { Tag } from "./openapi/tags.ts";
import type { BodyMemory } from "./request/body/body-memory.ts";
import type { IgnoredFields } from "./request/ignored-fields.ts";
import type { ResponseMemory } from "./response/response-memory.ts";
import type { LiveStreams } from "./streams/live.ts";

/** The response to one message. `isRepeatable` if the message changed nothing, so that a response that is too long can be refused. */
export type McpResponse = { readonly json: string; readonly isRepeatable: boolean };

/** Handles one JSON-RPC message of the Model Context Protocol; returns null for a message that needs no response. */
export type McpMessageHandler = {
  handleMessage(
    message: unknown,
    caller: { readonly actor: Actor; readonly version: string | undefined; readonly signal: AbortSignal },
  ): Promise<McpResponse | null>;
};

/** The dependencies of route handlers and hooks: those of the services, and those of the HTTP layer. */
export type HttpDeps = Deps & {
  readonly mcp: McpMessageHandler;
  readonly hostGuard: HostGuard;
  readonly accessWatch: AccessWatch;
  readonly live: LiveStreams;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  readonly csrfGuard: CsrfGuard;
  readonly limiter: RateLimiter;
  readonly logInThrottle: LogInThrottle;
  readonly linkBase: LinkBase;
  readonly listings: ListingCache;
  readonly bodies: BodyMemory;
  readonly responses: ResponseMemory;
  readonly cursors: CursorCodec;
  readonly runner: GenerationRunner;
  readonly thumbnails: Thumbnails;
  /** Returns whether the secret key opens the secrets in the database. */
  readonly readKeyState: () => Promise<SecretKeyState>;
  readonly limits: {
    /** Requests per minute and caller. */
    readonly requests: number;
    /** Questions and generations per minute and caller. */
    readonly asks: number;
    /** How long a call waits for a generation, in milliseconds. */
    readonly generateWaitMs: number;
    /** The largest file that can be uploaded, in bytes. */
    readonly fileBytes: number;
  };
};

/** The arguments of a handler. `authorized` is what the guard returned; the store's writes require it. */
export type HandlerContext<G, B extends TObject, Q extends TObject> = {
  readonly deps: HttpDeps;
  readonly actor: Actor;
  readonly authorized: G;
  readonly body: Static<B>;
  readonly query: Static<Q>;
  /** For fields of the request that turn out to have no effect. */
  readonly ignored: IgnoredFields;
  /** Changes how many bytes of memory count for a body that the handler reads as it arrives. Throws 429 or 503 if they are too many. */
  readonly holdBody: (bytes: number) => void;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

export type RequestHeader = "Idempotency-Key" | "If-Match" | "If-None-Match" | "Prefer";

export type PathParams = Readonly<Record<string, string>>;

/**
 * One route: schemas for request and response, which validate input and generate the OpenAPI document; a guard that runs
 * before the body is read; a handler.
 */
export type Route<G, B extends TObject, Q extends TObject> = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** The name of the operation in the OpenAPI document, in camelCase: the name of the function in generated clients. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly body?: B;
  readonly query?: Q;
  /** Fields of a multipart form with a file. The handler reads the body itself. */
  readonly form?: TObject;
  /** The headers that change what the call does. */
  readonly headers?: readonly RequestHeader[];
  readonly response: TSchema;
  /** The rate limit that the call counts against; the general one by default. */
  readonly rateLimit?: "ask";
  /** The response has an ETag, for `If-Match`. A `GET` with this ETag as `If-None-Match` gets 304. */
  readonly isVersioned?: true;
  /** A single resource without versions: the ETag is a digest of the body. A `GET` with it as `If-None-Match` gets 304. */
  readonly isTagged?: true;
  /** The response can be streamed with Accept: text/event-stream. */
  readonly streams?: true;
  /** The route returns 202 with the same body: sometimes, or always. */
  readonly accepts?: "sometimes" | "always";
  /** Listings and pictures: `If-None-Match` gets 304. */
  readonly isRevalidated?: true;
  /** The response contains a secret that is shown once, so a repeated call gets 409 instead of the stored response. */
  readonly returnsSecret?: true;
  /** The route can return 404 although its path has no id. */
  readonly mayBeMissing?: true;
  /** The route returns 410 for a cursor that has expired. */
  readonly mayExpire?: true;
  /** Which of the response's examples is one of this route. The first one by default. */
  readonly example?: number;
  /** Unknown fields are always 400, since the call changes many things at once: a misspelt `dry_run` must not delete. */
  readonly isStrict?: true;
  /** The body is a message of another protocol, which the handler reads itself. */
  readonly readsBody?: true;
  /** The route accepts form fields, JSON under any media type, and "" for absent fields (inbound calls). */
  readonly isLenient?: true;
  /** The route needs no authentication: log-in, first-run set-up, invitations. */
  readonly isPublic?: true;
  /** The path has the token of an inbound address, whose sender makes the call. Keys and session cookies are ignored. */
  readonly hasToken?: true;
  /** The body is kept as it was sent: the handler gets its bytes. */
  readonly keepsBody?: true;
  /** The route needs a session (settings); API keys are rejected. */
  readonly isMembersOnly?: true;
  /** The route needs an API key; session cookies are ignored. */
  readonly isKeysOnly?: true;
  /** The response repeats the text of the body. */
  readonly repeatsBody?: true;
  /** The route is left out of the OpenAPI document. */
  readonly isHidden?: true;
  /** Checks the request headers before authentication. */
  preflight?(deps: HttpDeps, request: FastifyRequest): void;
  guard(deps: HttpDeps, actor: Actor, params: PathParams): Promise<G> | G;
  handle(context: HandlerContext<G, B, Q>): Promise<unknown>;
};

export type AnyRoute = Route<unknown, TObject, TObject>;

/** Checks the types of guard, schemas and handler against each other, then erases them so that routes fit one list. */
export function defineRoute<G, B extends TObject = TObject, Q extends TObject = TObject>(route: Route<G, B, Q>): AnyRoute {
  return route as unknown as AnyRoute;
}
