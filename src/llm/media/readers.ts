import type { MediaReaders } from "#domain/model/media.ts";
import { lazy } from "#runtime/lazy.ts";
import type { ModelSettings } from "../providers.ts";
import { createPictureReader } from "./pictures.ts";
import { type SpeechSettings, createSpeechReader } from "./speech.ts";

/** The configured readers; `close` ends their connections. */
export type OpenedReaders = { readonly readers: MediaReaders; close(): Promise<void> };

/** Settings; empty if not set. */
export type MediaSettings = {
  readonly provider: ModelSettings["provider"] | "";
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly visionModel: string;
  readonly speechModel: string;
  readonly speechBaseUrl: string;
  readonly speechApiKey: string;
};

const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** Creates readers of pictures and speech, which load their clients when first used. */
export function openMediaReaders(settings: MediaSettings): OpenedReaders {
  const [pictures, speech] = [getPictureSettings(settings), getSpeechSettings(settings)];
  const modelFetch = lazy(async () => (await import("../fetch.ts")).createModelFetch());
  return {
    readers: {
      pictures: pictures === null ? null : createPictureReader(pictures, modelFetch.get),
      speech: speech === null ? null : createSpeechReader(speech, modelFetch.get),
    },
    async close() {
      await (await modelFetch.loaded())?.close();
    },
  };
}

const getPictureSettings = ({ provider, apiKey, baseUrl, visionModel }: MediaSettings): ModelSettings | null =>
  visionModel === "" || provider === "" ? null : { provider, model: visionModel, apiKey, baseUrl };

/** Returns the server of the speech model; the key of one server is never sent to another. */
function getSpeechSettings({ provider, apiKey, baseUrl, speechModel, speechBaseUrl, speechApiKey }: MediaSettings): SpeechSettings | null {
  if (speechModel === "") return null;
  if (speechBaseUrl !== "") return { model: speechModel, baseUrl: speechBaseUrl, apiKey: speechApiKey };
  return { model: speechModel, baseUrl: baseUrl === "" && provider === "openai" ? OPENAI_BASE_URL : baseUrl, apiKey };
}
