import type { TokenUsage } from "./model.ts";

/** A picture or a recording, whole. */
export type Media = {
  readonly bytes: Uint8Array;
  /** As its first bytes tell, such as `image/png`. */
  readonly mediaType: string;
  /** Its name with an ending that fits, by which some servers tell the form. */
  readonly name: string;
};

/** What a model tells of a picture, as it came: nothing of it is checked, and either part may be empty. */
export type PictureReading = {
  readonly description: string;
  /** The words that stand in the picture. */
  readonly words: string;
  readonly usage: TokenUsage;
};

/** A stretch of speech; in milliseconds from the beginning. */
export type SpokenPart = { readonly startMs: number; readonly endMs: number; readonly text: string };

/** What a model heard in a recording, as it came. */
export type SpeechReading = {
  /** Empty where the model tells no times; then `text` alone has the words. */
  readonly parts: readonly SpokenPart[];
  readonly text: string;
  /** Of the language spoken, such as `en`; null where it is not told. */
  readonly language: string | null;
  /** How long the recording is; null where it is not told. */
  readonly seconds: number | null;
  readonly usage: TokenUsage;
};

/** Describes pictures and reads the words in them. Throws `ModelError`, or the signal's reason. */
export interface PictureReader {
  read(picture: Media, signal: AbortSignal): Promise<PictureReading>;
}

/** Writes down what is said. Throws `ModelError`, or the signal's reason. */
export interface SpeechReader {
  read(recording: Media, signal: AbortSignal): Promise<SpeechReading>;
}

/** Models that read pictures and speech; null where none is configured. */
export type MediaReaders = { readonly pictures: PictureReader | null; readonly speech: SpeechReader | null };
