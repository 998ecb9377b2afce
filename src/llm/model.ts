import type { LanguageModel } from "#domain/model/model.ts";
import { createLanguageModel } from "./caller.ts";
import type { ModelFetch } from "./fetch.ts";
import type { ModelSettings } from "./providers.ts";

/** The configured model; `close` ends its connections. */
export type OpenedModel = { readonly model: LanguageModel; close(): Promise<void> };

/** Creates the model. The provider's client takes 30 MB and is loaded by the first request. */
export function openLanguageModel(settings: ModelSettings): OpenedModel {
  let opened: Promise<ModelFetch> | undefined;
  const open = async () => {
    opened ??= import("./fetch.ts").then(({ createModelFetch }) => createModelFetch());
    const [{ fetch }, { openProvider }] = await Promise.all([opened, import("./providers.ts")]);
    return openProvider(settings, fetch);
  };
  return {
    model: createLanguageModel(`${settings.provider}/${settings.model}`, open, settings.apiKey),
    async close() {
      if (opened !== undefined) await (await opened).close();
    },
  };
}
