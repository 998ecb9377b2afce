import type { LanguageModel } from "#domain/model/model.ts";
import { lazy } from "#runtime/lazy.ts";
import { createLanguageModel } from "./caller.ts";
import type { ModelSettings } from "./providers.ts";

/** The configured model; `close` ends its connections. */
export type OpenedModel = { readonly model: LanguageModel; close(): Promise<void> };

/** Creates the model. The provider's client takes 30 MB and is loaded by the first request. */
export function openLanguageModel(settings: ModelSettings): OpenedModel {
  const modelFetch = lazy(async () => (await import("./fetch.ts")).createModelFetch());
  const open = async () => {
    const [{ fetch }, { openProvider }] = await Promise.all([modelFetch.get(), import("./providers.ts")]);
    return openProvider(settings, fetch);
  };
  return {
    model: createLanguageModel(`${settings.provider}/${settings.model}`, open, settings.apiKey),
    async close() {
      await (await modelFetch.loaded())?.close();
    },
  };
}
