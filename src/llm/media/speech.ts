import { randomBytes } from "node:crypto";
import type { Media, SpeechReader, SpeechReading, SpokenPart } from "#domain/model/media.ts";
import type { ModelFetch } from "../fetch.ts";
import { StatusError, toMediaError } from "./errors.ts";

export type SpeechSettings = {
  readonly model: string;
  /** The base of the OpenAI-compatible API, without a slash at its end. */
  readonly baseUrl: string;
  /** May be empty for a self-hosted server. */
  readonly apiKey: string;
};

const SETTING_NAMES = {
  model: "SPEECH_MODEL",
  key: "SPEECH_API_KEY, or LLM_API_KEY where it is not set",
  address: "SPEECH_BASE_URL, or LLM_BASE_URL where it is not set",
};
/** Maximum number of segments of a transcription: about ten hours of speech. */
const MAX_PARTS = 20_000;
const MAX_ERROR_LENGTH = 10_000;

/** Creates a reader that transcribes speech by an OpenAI-compatible `POST /audio/transcriptions`. The first recording calls `openFetch`. */
export function createSpeechReader(settings: SpeechSettings, openFetch: () => Promise<ModelFetch>): SpeechReader {
  async function request(recording: Media, format: "verbose_json" | "json", signal: AbortSignal): Promise<unknown> {
    const { fetch } = await openFetch();
    const { body, type } = encodeForm(recording, [
      ["model", settings.model],
      ["response_format", format],
      ...(format === "verbose_json" ? [["timestamp_granularities[]", "segment"] as const] : []),
    ]);
    const response = await fetch(`${settings.baseUrl}/audio/transcriptions`, {
      method: "POST",
      headers: {
        "content-type": type,
        accept: "application/json",
        ...(settings.apiKey === "" ? {} : { authorization: `Bearer ${settings.apiKey}` }),
      },
      body,
      signal,
    });
    if (!response.ok) {
      throw new StatusError(response.status, Object.fromEntries(response.headers), (await response.text()).slice(0, MAX_ERROR_LENGTH));
    }
    return response.json();
  }
  return {
    async read(recording, signal) {
      signal.throwIfAborted();
      try {
        return parseTranscription(
          await request(recording, "verbose_json", signal).catch((error: unknown) => {
            // Some models have no timestamps, and reject the format that includes them.
            if (error instanceof StatusError && (error.statusCode === 400 || error.statusCode === 422))
              return request(recording, "json", signal);
            throw error;
          }),
        );
      } catch (error) {
        signal.throwIfAborted();
        throw toMediaError(error, SETTING_NAMES, settings.apiKey);
      }
    },
  };
}

/** Encodes a multipart form (RFC 7578) with these fields and the file. */
function encodeForm(
  { bytes, mediaType, name }: Media,
  fields: readonly (readonly [string, string])[],
): { readonly body: Uint8Array<ArrayBuffer>; readonly type: string } {
  const boundary = `tessera-${randomBytes(16).toString("hex")}`;
  const field = ([key, value]: readonly [string, string]): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name.replace(/[^\w.-]+/g, "_")}"\r\nContent-Type: ${mediaType}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(fields.map(field).join("") + file), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** Reads a transcription in either format; throws for anything else. */
function parseTranscription(answer: unknown): SpeechReading {
  const { text, segments, language, duration, usage } = toObject(answer);
  if (typeof text !== "string" && !Array.isArray(segments)) throw new Error("The response is not a transcription.");
  const parts = (Array.isArray(segments) ? segments.slice(0, MAX_PARTS) : []).flatMap(parseSegment);
  const { input_tokens: input, output_tokens: output } = toObject(usage);
  return {
    parts,
    text: typeof text === "string" ? text : "",
    language: typeof language === "string" && /^[a-z]{2,3}(?:-[A-Za-z]{2,8})?$/.test(language) ? language : null,
    seconds: toNumber(duration),
    usage: { input: toNumber(input) ?? 0, output: toNumber(output) ?? 0 },
  };
}

function parseSegment(segment: unknown): SpokenPart[] {
  const { start, end, text } = toObject(segment);
  const from = toNumber(start);
  if (from === null || typeof text !== "string") return [];
  return [{ startMs: Math.round(from * 1_000), endMs: Math.round(Math.max(from, toNumber(end) ?? from) * 1_000), text }];
}

const toObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Reads a number from 0 up; some servers send numbers as text. */
function toNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : null;
}
