/** Uploaded files, and pages of links that were sent with them, stored in parts under the id of their tile. */
export interface FileStore {
  /** Appends the next part; `part` starts at 0. */
  append(businessId: string, tileId: string, part: number, bytes: Uint8Array, now: number): Promise<void>;
  /** Returns the whole file, or null if there is none. */
  read(businessId: string, tileId: string): Promise<Uint8Array | null>;
  /** Returns the size of the whole file in bytes, or null if there is none. */
  size(businessId: string, tileId: string): Promise<number | null>;
  /** Deletes the parts of an upload that no tile uses. */
  drop(businessId: string, tileId: string): Promise<void>;
}

/** A file that came with other content. */
export type AttachedFile = { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array };

/** The files that are stored of one message. */
export const MAX_ATTACHED_FILES = 50;

/**
 * An e-mail. The text is cleaned HTML if it has no plain text. `files` are the first `MAX_ATTACHED_FILES` of `fileCount`; pictures that its
 * HTML shows are not among them.
 */
export type Mail = {
  readonly subject: string;
  readonly text: string;
  readonly files: readonly AttachedFile[];
  readonly fileCount: number;
};

/** The name and media type that an upload declares. Its bytes take precedence. */
export type UploadedFile = {
  readonly name: string;
  readonly mediaType: string;
  /** The SHA-256 of the bytes, by which the same file is recognised; absent for files of version 0.1. */
  readonly sha256?: string;
};

const MAX_NAME_LENGTH = 255;

/** Returns the name of an upload without folders and control characters. */
export const sanitiseFileName = (name: string): string =>
  [
    ...name
      .toWellFormed()
      .replace(/^.*[/\\]/s, "")
      .replaceAll(/[\u0000-\u001F\u007F]/g, "")
      .trim(),
  ]
    .slice(0, MAX_NAME_LENGTH)
    .join("") || "file";
