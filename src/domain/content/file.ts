/** Bytes that people handed in, kept in parts under the id of the tile that was made of them. */
export interface FileStore {
  /** Adds the next part; `part` counts from 0. */
  append(businessId: string, tileId: string, part: number, bytes: Uint8Array, now: number): Promise<void>;
  /** The whole file; null where there is none. */
  read(businessId: string, tileId: string): Promise<Uint8Array | null>;
  /** How many bytes the whole file has; null where there is none. */
  size(businessId: string, tileId: string): Promise<number | null>;
  /** Takes back what was added for a tile that was not made after all. */
  drop(businessId: string, tileId: string): Promise<void>;
}

/** What an upload said of itself; neither is believed before its bytes. */
export type UploadedFile = { readonly name: string; readonly mediaType: string };
