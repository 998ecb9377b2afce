/** A secret that was encrypted by the `SecretBox`, with the context that decrypts it. */
export type SealedSecret = { readonly sealed: string; readonly context: string };

/**
 * Whether the secret key opens the secrets in the database. `lost`: there is no key, and secrets that need it. `changed`: there is another
 * key. Until the right key is back, events wait, and everything else works.
 */
export type SecretKeyState = "ok" | "lost" | "changed";

/** What the database knows of the secret key. */
export interface SecretKeyStore {
  /** Returns the check value of the key that the database is used with; null before the first start. */
  checkValue(): Promise<string | null>;
  recordCheckValue(value: string): Promise<void>;
  /** Returns the secrets of all businesses that only the key opens. */
  sealedSecrets(): Promise<SealedSecret[]>;
}
