import type { Operations } from "../generated/operations.ts";

/** A method and a path of the API, such as "GET /api/board/boards". */
export type Operation = keyof Operations;

export type PathOf<O extends Operation> = Operations[O] extends { readonly path: infer Path } ? Path : undefined;
export type QueryOf<O extends Operation> = Operations[O] extends { readonly query: infer Query } ? Query : undefined;
export type BodyOf<O extends Operation> = Operations[O] extends { readonly body: infer Body } ? Body : undefined;
export type FormOf<O extends Operation> = Operations[O] extends { readonly form: infer Form } ? Form : undefined;
export type ResponseOf<O extends Operation> = Operations[O] extends { readonly response: infer Response } ? Response : unknown;

/** What an operation takes. Undefined fields are left out. */
export type Input<O extends Operation> = Part<"path", PathOf<O>> & {
  readonly query?: QueryOf<O>;
  readonly body?: BodyOf<O>;
  readonly form?: FormOf<O>;
};

type Part<Name extends string, Value> = Value extends undefined ? unknown : { readonly [K in Name]: Value };
