import type { Store } from "./store.ts";

/** A file that is being sent. */
export type UploadState = {
  /** The part of 1 that was sent. */
  readonly sent: number;
  readonly cancel: () => void;
};

/** The uploads under way, by the id of the card that stands for the tile until the server has it. */
export type Uploads = Store<ReadonlyMap<string, UploadState>>;

export const setUpload = (uploads: Uploads, id: string, upload: UploadState): void => uploads.set((all) => new Map(all).set(id, upload));

export const removeUpload = (uploads: Uploads, id: string): void =>
  uploads.set((all) => {
    if (!all.has(id)) return all;
    const left = new Map(all);
    left.delete(id);
    return left;
  });
