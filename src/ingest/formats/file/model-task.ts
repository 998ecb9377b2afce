import type { Media, PictureReader, SpeechReader, SpokenPart } from "#domain/model/media.ts";
import type { TileType } from "#domain/content/tile.ts";
import { replaceInvalidCharacters, truncateText, truncationWarning } from "../../clean/text.ts";
import type { ExtractContext } from "../../extract/extractor.ts";
import type { ParsedDocument } from "../../read/format.ts";
import { omitEmpty } from "../../read/json-access.ts";

const MIB = 1024 * 1024;
/** Maximum sizes of the files that are sent to a model: what the common providers accept. */
const MAX_PICTURE_BYTES = 20 * MIB;
const MAX_RECORDING_BYTES = 25 * MIB;
/** Maximum length of a transcript; the file's own metadata comes before it. */
const MAX_CHARACTERS = 900_000;

/** Reading a picture, or transcribing a recording, with a model. */
export type ModelTask = {
  /** The code of the warning if the task fails. */
  readonly code: string;
  /** The code of the warning that the parser added because it can't read such files itself. */
  readonly replacedCode: string;
  /** The sentence with which messages about a failure begin, without full stop. */
  readonly subject: string;
  readonly maxBytes: number;
  /** The message if the model finds nothing. */
  readonly nothingFound: string;
  /** Adds what the model reads to the parsed file; null if it finds nothing. */
  readonly run: (media: Media, parsed: ParsedDocument, signal: AbortSignal) => Promise<ParsedDocument | null>;
};

/** Returns the task for a file of this type, or null if no model is configured for it. */
export function getModelTask({ media }: ExtractContext, type: TileType): ModelTask | null {
  const { pictures = null, speech = null } = media ?? {};
  if (type === "IMAGE") return pictures && createPictureTask(pictures);
  return type === "AUDIO" || type === "VIDEO" ? speech && createSpeechTask(speech) : null;
}

const createPictureTask = (pictures: PictureReader): ModelTask => ({
  code: "picture_not_read",
  replacedCode: "no_text",
  subject: "This picture was not read by the model",
  maxBytes: MAX_PICTURE_BYTES,
  nothingFound: "No text or content recognised in this picture.",
  async run(picture, parsed, signal) {
    const { description, words } = await pictures.read(picture, signal);
    if (description.trim() === "" && words.trim() === "") return null;
    const blocks = [parsed.text, description, words].map((block) => replaceInvalidCharacters(block).trim()).filter((block) => block !== "");
    return withText(parsed, [...new Set(blocks)].join("\n\n"), "text");
  },
});

const createSpeechTask = (speech: SpeechReader): ModelTask => ({
  code: "not_transcribed",
  replacedCode: "no_transcript",
  subject: "This recording was not transcribed",
  maxBytes: MAX_RECORDING_BYTES,
  nothingFound: "No speech detected in this file.",
  async run(recording, parsed, signal) {
    const { parts, text, language, seconds } = await speech.read(recording, signal);
    const metadata = omitEmpty({
      ...parsed.metadata,
      language: parsed.metadata.language ?? language,
      durationSeconds: parsed.metadata.durationSeconds ?? (seconds === null || seconds < 1 ? null : Math.round(seconds)),
    });
    const lines = limitParts(parts);
    if (lines.some((line) => line.text.trim() !== "")) {
      const warnings = lines.length < parts.length ? [...parsed.warnings, truncationWarning("transcript")] : parsed.warnings;
      return { ...parsed, metadata, lines, warnings };
    }
    if (text.trim() === "") return null;
    const blocks = [parsed.text, replaceInvalidCharacters(text).trim()].filter((block) => block !== "");
    return { ...withText(parsed, blocks.join("\n\n"), "transcript"), metadata };
  },
});

/** Replaces the text, truncated to the maximum of a tile. */
function withText(parsed: ParsedDocument, text: string, what: "text" | "transcript"): ParsedDocument {
  const { text: kept, truncated } = truncateText(text);
  return { ...parsed, text: kept, warnings: truncated ? [...parsed.warnings, truncationWarning(what)] : parsed.warnings };
}

/** Returns the first parts of a transcript, up to `MAX_CHARACTERS`. */
function limitParts(parts: readonly SpokenPart[]): readonly SpokenPart[] {
  let characters = 0;
  const end = parts.findIndex(({ text }) => (characters += text.length + 2) > MAX_CHARACTERS);
  return end < 0 ? parts : parts.slice(0, end);
}
