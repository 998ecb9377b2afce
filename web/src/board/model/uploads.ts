import type { ValueStore } from "./store.ts";

/** A file that is being uploaded. */
export type UploadState = {
  /** The fraction that was sent, from 0 to 1. */
  readonly sent: number;
  readonly cancel: () => void;
};

/** Uploads in progress by the id of their placeholder card. */
export type Uploads = ValueStore<ReadonlyMap<string, UploadState>>;

export const setUpload = (uploads: Uploads, id: string, upload: UploadState): void => uploads.set((all) => new Map(all).set(id, upload));

export const removeUpload = (uploads: Uploads, id: string): void =>
  uploads.set((all) => {
    if (!all.has(id)) return all;
    const remaining = new Map(all);
    remaining.delete(id);
    return remaining;
  });
