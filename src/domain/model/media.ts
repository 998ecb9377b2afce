import type { TokenUsage } from "./model.ts";

/** A complete picture or recording. */
export type Media = {
  readonly bytes: Uint8Array;
  /** Detected from the first bytes, such as `image/png`. */
  readonly mediaType: string;
  /** A file name with a matching extension, from which some servers detect the format. */
  readonly name: string;
};

/** The unchecked output of a vision model for a picture. Either text may be empty. */
export type PictureReading = {
  readonly description: string;
  /** The text in the picture. */
  readonly words: string;
  readonly usage: TokenUsage;
};

/** A segment of speech; times are in milliseconds from the start. */
export type SpokenPart = { readonly startMs: number; readonly endMs: number; readonly text: string };

/** The unchecked output of a speech model for a recording. */
export type SpeechReading = {
  /** Empty when the model returns no times; then only `text` has the transcript. */
  readonly parts: readonly SpokenPart[];
  readonly text: string;
  /** The spoken language, such as `en`; null when unknown. */
  readonly language: string | null;
  /** The duration of the recording; null when unknown. */
  readonly seconds: number | null;
  readonly usage: TokenUsage;
};

/** Describes pictures and reads the text in them. Throws `ModelError`, or the signal's reason. */
export interface PictureReader {
  read(picture: Media, signal: AbortSignal): Promise<PictureReading>;
}

/** Transcribes speech. Throws `ModelError`, or the signal's reason. */
export interface SpeechReader {
  read(recording: Media, signal: AbortSignal): Promise<SpeechReading>;
}

/** Models that read pictures and speech; null if not configured. */
export type MediaReaders = { readonly pictures: PictureReader | null; readonly speech: SpeechReader | null };
