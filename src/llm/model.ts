import type { LanguageModel } from "#domain/model/model.ts";
import { createCaller } from "./caller.ts";
import type { ModelFetch } from "./fetch.ts";

export const PROVIDERS = ["openai", "anthropic", "google", "openai-compatible"] as const;

export type ModelSettings = {
  readonly provider: (typeof PROVIDERS)[number];
  readonly model: string;
  /** May be empty for an OpenAI-compatible server. */
  readonly apiKey: string;
  /** Empty: the provider's own. */
  readonly baseUrl: string;
};

/** The model that is configured, and the way to end its connections. */
export type OpenedModel = { readonly model: LanguageModel; close(): Promise<void> };

/** Makes the model without loading anything of it: providers' clients take 30 MB and are loaded by the first call. */
export function openLanguageModel(settings: ModelSettings): OpenedModel {
  let opened: Promise<ModelFetch> | undefined;
  const open = async () => {
    opened ??= import("./fetch.ts").then(({ createModelFetch }) => createModelFetch());
    const [{ fetch }, { openProvider }] = await Promise.all([opened, import("./providers.ts")]);
    return openProvider(settings, fetch);
  };
  return {
    model: createCaller(`${settings.provider}/${settings.model}`, open, settings.apiKey),
    async close() {
      if (opened !== undefined) await (await opened).close();
    },
  };
}
