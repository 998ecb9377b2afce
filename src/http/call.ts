import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import type { Deps } from "#service/deps.ts";
import type { HostGuard } from "./gate/host-guard.ts";
import type { GenerationRunner } from "#service/generation/runner.ts";
import type { Thumbnails } from "#service/content/thumbnails.ts";
import type { Cursors } from "./listing/cursor.ts";
import type { ListingCache } from "./listing/cache.ts";
import type { LiveStreams } from "./streams/live.ts";
import type { OwnPageGuard } from "./gate/own-page.ts";
import type { DeviceCookie } from "./gate/device-cookie.ts";
import type { SessionCookie } from "./gate/session-cookie.ts";
import type { LogInThrottle } from "#service/people/log-in-throttle.ts";
import type { RateLimiter } from "#service/rate-limit.ts";

/** The tools for agents: answers one JSON-RPC message; null for one that wants no answer. */
export type ToolAnswerer = {
  answer(
    message: unknown,
    caller: { readonly actor: Actor; readonly version: string | undefined; readonly signal: AbortSignal },
  ): Promise<object | null>;
};

export type HttpDeps = Deps & {
  readonly tools: ToolAnswerer;
  readonly hostGuard: HostGuard;
  readonly live: LiveStreams;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  readonly csrfGuard: OwnPageGuard;
  readonly limiter: RateLimiter;
  readonly logInThrottle: LogInThrottle;
  /** The public address, or "" where calls tell it. */
  readonly baseUrl: string;
  readonly listings: ListingCache;
  readonly cursors: Cursors;
  readonly runner: GenerationRunner;
  readonly thumbnails: Thumbnails;
  readonly limits: {
    readonly requests: number;
    readonly asks: number;
    /** How long a call waits for a generation, in milliseconds. */
    readonly generateWaitMs: number;
    /** The largest file people may hand in. */
    readonly fileBytes: number;
  };
};

/** What a handler is given. `granted` is what the guard proved; without it nothing can be written. */
export type Call<G, B extends TObject, Q extends TObject> = {
  readonly deps: HttpDeps;
  readonly actor: Actor;
  readonly granted: G;
  readonly body: Static<B>;
  readonly query: Static<Q>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

export type Params = Readonly<Record<string, string>>;

/**
 * One route: schemas for request and response, from which validation and the OpenAPI document come; a guard that runs
 * before any body is read; a handler.
 */
export type Route<G, B extends TObject, Q extends TObject> = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: B;
  readonly query?: Q;
  /** Fields of a multipart form with a file, which the handler reads by itself. */
  readonly form?: TObject;
  readonly response: TSchema;
  /** Which allowance the call draws on. */
  readonly allowance?: "ask";
  /** True where 202 with the same body is an answer too. */
  readonly mayBeLate?: true;
  /** True where an Idempotency-Key is heard. */
  readonly isCreation?: true;
  /** The inbound calls read form fields and JSON under any media type, and take "" for absent. */
  readonly isLenient?: true;
  /** True where nobody has to be known: log-in and the ways in by a link. */
  readonly isOpen?: true;
  /** True for settings: who is logged in, and no key. */
  readonly isForMembers?: true;
  /** True where a session's cookie is not looked at, since programs call it. */
  readonly isForKeys?: true;
  /** True where the OpenAPI document leaves it out. */
  readonly isHidden?: true;
  /** Refuses a request by its head, before its key is looked at. */
  admit?(deps: HttpDeps, request: FastifyRequest): void;
  guard(deps: HttpDeps, actor: Actor, params: Params): Promise<G> | G;
  handle(call: Call<G, B, Q>): Promise<unknown>;
};

export type AnyRoute = Route<unknown, TObject, TObject>;

/** Ties the types of guard, schemas and handler together, then forgets them so that routes fit one list. */
export function defineRoute<G, B extends TObject = TObject, Q extends TObject = TObject>(route: Route<G, B, Q>): AnyRoute {
  return route as unknown as AnyRoute;
}
