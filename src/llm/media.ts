import type { MediaReaders } from "#domain/model/media.ts";
import type { ModelFetch } from "./fetch.ts";
import type { ModelSettings } from "./model.ts";
import { createPictureReader } from "./pictures.ts";
import { type SpeechSettings, createSpeechReader } from "./speech.ts";

/** The readers that are configured, and the way to end their connections. */
export type OpenedReaders = { readonly readers: MediaReaders; close(): Promise<void> };

/** The settings as they stand; empty text for what is not set. */
export type MediaSettings = {
  readonly provider: ModelSettings["provider"] | "";
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly visionModel: string;
  readonly speechModel: string;
  readonly speechBaseUrl: string;
  readonly speechApiKey: string;
};

const OPENAI = "https://api.openai.com/v1";

/** Makes readers of pictures and speech, without loading anything before the first of them. */
export function openMediaReaders(settings: MediaSettings): OpenedReaders {
  const [pictures, speech] = [picturesOf(settings), speechOf(settings)];
  let opened: Promise<ModelFetch> | undefined;
  const openFetch = (): Promise<ModelFetch> => (opened ??= import("./fetch.ts").then(({ createModelFetch }) => createModelFetch()));
  return {
    readers: {
      pictures: pictures === null ? null : createPictureReader(pictures, openFetch),
      speech: speech === null ? null : createSpeechReader(speech, openFetch),
    },
    async close() {
      if (opened !== undefined) await (await opened).close();
    },
  };
}

const picturesOf = ({ provider, apiKey, baseUrl, visionModel }: MediaSettings): ModelSettings | null =>
  visionModel === "" || provider === "" ? null : { provider, model: visionModel, apiKey, baseUrl };

/** The server of the speech model; the key of one server is never sent to another. */
function speechOf({ provider, apiKey, baseUrl, speechModel, speechBaseUrl, speechApiKey }: MediaSettings): SpeechSettings | null {
  if (speechModel === "") return null;
  if (speechBaseUrl !== "") return { model: speechModel, baseUrl: speechBaseUrl, apiKey: speechApiKey };
  return { model: speechModel, baseUrl: baseUrl === "" && provider === "openai" ? OPENAI : baseUrl, apiKey };
}
