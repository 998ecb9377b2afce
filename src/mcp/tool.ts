import type { Actor, Need } from "#domain/core/access.ts";
import type { Deps } from "#service/deps.ts";
import type { ArgumentsOf, Fields } from "./arguments.ts";

/** What the tools stand on, besides the services. */
export type ToolDeps = Deps & {
  readonly cursors: {
    /** `listing` names what is listed, so that a cursor opens only there. */
    write(listing: string, place: readonly (string | number)[]): string;
    /** An `invalid` refusal for a cursor that is not ours. */
    read(listing: string, cursor: string): readonly (string | number)[];
  };
  /** Takes one question of the key's allowance; a `rate_limited` refusal where none is left. */
  takeAsk(actor: Actor): Promise<void>;
  /** A mark that nobody can foresee. */
  newMark(): string;
  readonly log: { error(fields: object, message: string): void };
};

/** The longest texts that are taken, in Unicode code points. */
export type TextLimits = { readonly title: number; readonly content: number; readonly question: number };

export type ToolCall<A> = { readonly deps: ToolDeps; readonly actor: Actor; readonly args: A; readonly signal: AbortSignal };

/** What a tool found: `text`, where there is one, is shown as it is and not as JSON. */
export type ToolResult = { readonly data: Readonly<Record<string, unknown>>; readonly text?: string };

export type Tool<F extends Fields = Fields> = {
  readonly name: string;
  readonly title: string;
  /** What it does and when to use it, for a model. */
  readonly description: string;
  /** What a key must be allowed to do. */
  readonly need: Need;
  readonly fields: F;
  /** JSON Schema of the result's properties. */
  readonly output: Readonly<Record<string, object>>;
  /** True for a tool that changes something. */
  readonly isWriting?: boolean;
  run(call: ToolCall<ArgumentsOf<F>>): Promise<ToolResult>;
};

/** Ties the types of fields and `run` together, then forgets them so that tools fit one list. */
export const defineTool = <F extends Fields>(tool: Tool<F>): Tool => tool as unknown as Tool;

export const STRING = { type: "string" } as const;
export const INTEGER = { type: "integer" } as const;
export const OPTIONAL_STRING = { type: ["string", "null"] } as const;

/** JSON Schema of a list of objects with these properties, all of them always there but for `optional`. */
export const listOf = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object => ({
  type: "array",
  items: { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) },
});
