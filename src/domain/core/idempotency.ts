/**
 * Makes a creation happen once: written with it in one transaction. The same key with the same request within
 * its life gives the first answer again; with another request it is a 409.
 */
export type IdempotencyRecord<T> = {
  readonly businessId: string;
  readonly apiKeyId: string;
  readonly path: string;
  readonly key: string;
  readonly requestHash: string;
  readonly expiresAt: number;
  /** The answer's body, kept for the replay; null when nothing was created, and nothing is remembered. */
  render(created: T): string | null;
};

export type IdempotentOutcome<T> = { readonly replayed: false; readonly value: T } | { readonly replayed: true; readonly body: string };
