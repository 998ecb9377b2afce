import type { Actor, RequiredAccess } from "#domain/core/access.ts";
import type { Deps } from "#service/deps.ts";
import type { ArgumentsOf, Fields } from "./arguments.ts";

/** What the tools need besides the dependencies of the services. */
export type ToolDeps = Deps & {
  readonly cursors: {
    /** `listing` identifies the listing: a cursor is valid only there. */
    write(listing: string, position: readonly (string | number)[]): string;
    /** Throws `invalid` for a forged cursor or one of another listing. */
    read(listing: string, cursor: string): readonly (string | number)[];
  };
  /** Counts a question against the rate limit of the key; throws `rate_limited` if it is reached. */
  countQuestion(actor: Actor): Promise<void>;
  /** Returns an unpredictable text that marks the start and the end of untrusted content. */
  createBoundary(): string;
  readonly log: { error(fields: object, message: string): void };
};

/** The maximum lengths of texts, in Unicode code points. */
export type TextLimits = { readonly title: number; readonly content: number; readonly question: number };

export type ToolCall<A> = { readonly deps: ToolDeps; readonly actor: Actor; readonly args: A; readonly signal: AbortSignal };

/** The result of a tool. `text` is shown to the model as it is, not as JSON. */
export type ToolResult = { readonly data: Readonly<Record<string, unknown>>; readonly text?: string };

export type Tool<F extends Fields = Fields> = {
  readonly name: string;
  readonly title: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** The permission that the key needs. */
  readonly requiredAccess: RequiredAccess;
  readonly fields: F;
  /** JSON Schema of the result's properties. */
  readonly output: Readonly<Record<string, object>>;
  /** True for a tool that changes data. */
  readonly isWriting?: boolean;
  run(call: ToolCall<ArgumentsOf<F>>): Promise<ToolResult>;
};

/** Checks the types of fields and `run` against each other, then erases them so that tools fit one list. */
export const defineTool = <F extends Fields>(tool: Tool<F>): Tool => tool as unknown as Tool;

export const STRING = { type: "string" } as const;
export const INTEGER = { type: "integer" } as const;
export const OPTIONAL_STRING = { type: ["string", "null"] } as const;

/** Returns the JSON Schema of a list of objects. All properties are required except `optional`. */
export const objectArray = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object => ({
  type: "array",
  items: { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) },
});
