/**
 * Identifies a creation by its idempotency key, stored in the same transaction. Until it expires, repeating the request returns the
 * stored response, and another request with the same key is a 409.
 */
export type IdempotencyRecord<T> = {
  readonly businessId: string;
  readonly apiKeyId: string;
  readonly path: string;
  readonly key: string;
  readonly requestHash: string;
  readonly expiresAt: number;
  /**
   * Renders what is stored of the response; null when nothing was created and nothing is stored. Beyond the limit of a business, the store
   * replaces the oldest ones by an empty text.
   */
  render(created: T): string | null;
};

export type IdempotentOutcome<T> = { readonly replayed: false; readonly value: T } | { readonly replayed: true; readonly body: string };
