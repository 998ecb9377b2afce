import type { Static, TObject } from "typebox";
import type { Actor, RequiredAccess } from "#domain/core/access.ts";
import type { ContentDeps } from "#service/deps.ts";
import type { GenerationDeps } from "#service/generation/generations.ts";

/** What the tools need besides the dependencies of the services. */
export type ToolDeps = GenerationDeps &
  ContentDeps & {
    readonly cursors: {
      /** `listing` identifies the listing: a cursor is valid only there. */
      write(listing: string, position: readonly (string | number)[]): string;
      /** Throws `invalid` for a forged cursor or one of another listing. */
      read(listing: string, cursor: string): readonly (string | number)[];
    };
    /** Counts a question or a generation against the rate limit of the key; throws `rate_limited` if it is reached. */
    countQuestion(actor: Actor): Promise<void>;
    /** How long a call waits for a generation, in milliseconds. */
    readonly generateWaitMs: number;
    /** Returns an unpredictable text that marks the start and the end of untrusted content. */
    createBoundary(): string;
  };

export type ToolCall<A> = { readonly deps: ToolDeps; readonly actor: Actor; readonly args: A; readonly signal: AbortSignal };

/** The result of a tool. `text` is shown to the model as it is, not as JSON. */
export type ToolResult = { readonly data: Readonly<Record<string, unknown>>; readonly text?: string };

/** What a tool does to data and to the world, for clients that ask their user first (the annotations of MCP). */
export type ToolHints = {
  readonly readOnlyHint: boolean;
  /** True if it can replace or remove what is there. */
  readonly destructiveHint: boolean;
  /** True if the same call again changes nothing more. */
  readonly idempotentHint: boolean;
  /** True if it can make the server fetch a page from the internet. */
  readonly openWorldHint: boolean;
};

const READS: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export type Tool<S extends TObject = TObject> = {
  readonly name: string;
  readonly title: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** The permission that the key needs. Keys without it do not see the tool. */
  readonly requiredAccess: RequiredAccess;
  readonly hints: ToolHints;
  readonly input: S;
  readonly output: TObject;
  /** True if nothing in the result was written by others, so that it is not marked as data. */
  readonly isTrusted?: true;
  run(call: ToolCall<Static<S>>): Promise<ToolResult>;
};

/** Checks the types of the arguments and `run` against each other, then erases them so that tools fit one list. */
export const defineTool = <S extends TObject>(tool: Omit<Tool<S>, "hints"> & { readonly hints?: ToolHints }): Tool =>
  ({ hints: READS, ...tool }) as unknown as Tool;
