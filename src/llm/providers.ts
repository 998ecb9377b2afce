import type { createOpenAI } from "@ai-sdk/openai";

export const PROVIDERS = ["openai", "anthropic", "google", "openai-compatible"] as const;

export type ModelSettings = {
  readonly provider: (typeof PROVIDERS)[number];
  readonly model: string;
  /** May be empty for an OpenAI-compatible server. */
  readonly apiKey: string;
  /** Empty for the provider's default. */
  readonly baseUrl: string;
};

/** A model of the AI SDK. */
export type SdkModel = ReturnType<ReturnType<typeof createOpenAI>["chat"]>;

/** Default addresses, overridden by LLM_BASE_URL. Always passed, because the SDK would read other environment variables. */
const DEFAULT_BASE_URLS = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
} as const;

/** Loads the client of the configured provider, and creates the model; all requests use `fetch`. */
export async function openProvider(settings: ModelSettings, fetch: typeof globalThis.fetch): Promise<SdkModel> {
  const { provider, model, apiKey } = settings;
  if (provider === "openai-compatible") {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const key = apiKey === "" ? {} : { apiKey };
    const options = { name: "compatible", baseURL: settings.baseUrl, includeUsage: true, supportsStructuredOutputs: true, fetch, ...key };
    return createOpenAICompatible(options).chatModel(model);
  }
  const options = { baseURL: settings.baseUrl || DEFAULT_BASE_URLS[provider], apiKey, fetch };
  switch (provider) {
    case "openai":
      return (await import("@ai-sdk/openai")).createOpenAI(options).chat(model);
    case "anthropic":
      return (await import("@ai-sdk/anthropic")).createAnthropic(options).languageModel(model);
    case "google":
      return (await import("@ai-sdk/google")).createGoogle(options).languageModel(model);
  }
}
