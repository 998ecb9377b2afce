/** Long work in short steps, in order. Whoever runs it may let other work pass after each; the last step returns the result. */
export type Steps<T> = Generator<undefined, T, undefined>;
