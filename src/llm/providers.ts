import type { createOpenAI } from "@ai-sdk/openai";
import type { ModelSettings } from "./model.ts";

/** A model as the AI SDK's providers make it. */
export type SdkModel = ReturnType<ReturnType<typeof createOpenAI>["chat"]>;

/** Where each provider is, unless LLM_BASE_URL says otherwise; given always, so that no variable of the environment decides. */
const HOME = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
} as const;

/** The configured model of the AI SDK, of which only its provider's client is loaded; all its requests go through `fetch`. */
export async function openProvider(settings: ModelSettings, fetch: typeof globalThis.fetch): Promise<SdkModel> {
  const { provider, model, apiKey } = settings;
  if (provider === "openai-compatible") {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const key = apiKey === "" ? {} : { apiKey };
    const options = { name: "compatible", baseURL: settings.baseUrl, includeUsage: true, supportsStructuredOutputs: true, fetch, ...key };
    return createOpenAICompatible(options).chatModel(model);
  }
  const options = { baseURL: settings.baseUrl || HOME[provider], apiKey, fetch };
  switch (provider) {
    case "openai":
      return (await import("@ai-sdk/openai")).createOpenAI(options).chat(model);
    case "anthropic":
      return (await import("@ai-sdk/anthropic")).createAnthropic(options).languageModel(model);
    case "google":
      return (await import("@ai-sdk/google")).createGoogle(options).languageModel(model);
  }
}
