/** The settings of models, by their names in `Config`. */
type ModelSettings<Name extends string> = Readonly<Record<Name, string>>;

/** Describes a conflict between the language model settings. Returns null when they are consistent. */
export function findModelProblem({
  llmProvider: provider,
  llmModel,
  llmApiKey,
  llmBaseUrl,
}: ModelSettings<"llmProvider" | "llmModel" | "llmApiKey" | "llmBaseUrl">): string | null {
  if (provider === "") {
    const given = [
      ["LLM_MODEL", llmModel],
      ["LLM_API_KEY", llmApiKey],
      ["LLM_BASE_URL", llmBaseUrl],
    ].find(([, value]) => value !== "");
    return given === undefined
      ? null
      : `${given[0]} is set without LLM_PROVIDER. Set it to openai, anthropic, google or openai-compatible.`;
  }
  // The key is sent in a header, and the error for an invalid header would contain it.
  if (/[^\x21-\x7e]/.test(llmApiKey)) return "LLM_API_KEY contains a space or an invalid character. Copy the key again.";
  if (llmModel === "") return `LLM_MODEL is missing. Set it to the name of a model of LLM_PROVIDER=${provider}.`;
  if (provider === "openai-compatible")
    return llmBaseUrl === ""
      ? "LLM_BASE_URL is missing. Set it to the address of the OpenAI-compatible server, such as http://127.0.0.1:11434/v1."
      : null;
  return llmApiKey === "" ? `LLM_API_KEY is missing. ${provider} requires an API key.` : null;
}

/** Describes a conflict between the embedding settings. Returns null when they are consistent. */
export function findEmbeddingsProblem({
  embeddings,
  embeddingsModel,
  embeddingsBaseUrl,
  embeddingsApiKey,
}: ModelSettings<"embeddings" | "embeddingsModel" | "embeddingsBaseUrl" | "embeddingsApiKey">): string | null {
  const settings = [
    ["EMBEDDINGS_MODEL", embeddingsModel],
    ["EMBEDDINGS_BASE_URL", embeddingsBaseUrl],
    ["EMBEDDINGS_API_KEY", embeddingsApiKey],
  ] as const;
  if (embeddings !== "openai-compatible") {
    const given = settings.find(([, value]) => value !== "");
    return given === undefined ? null : `${given[0]} is set without EMBEDDINGS=openai-compatible. Set that too, or remove ${given[0]}.`;
  }
  const missing = settings.slice(0, 2).find(([, value]) => value === "");
  return missing === undefined
    ? null
    : `${missing[0]} is missing. With EMBEDDINGS=openai-compatible, set both EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL.`;
}

/** Describes a conflict between the vision and speech model settings. Returns null when they are consistent. */
export function findMediaProblem({
  llmProvider: provider,
  visionModel,
  speechModel,
  speechBaseUrl,
  speechApiKey,
}: ModelSettings<"llmProvider" | "visionModel" | "speechModel" | "speechBaseUrl" | "speechApiKey">): string | null {
  if (visionModel !== "" && provider === "")
    return "VISION_MODEL is set without LLM_PROVIDER. Set LLM_PROVIDER to the provider of that model.";
  if (speechModel === "") {
    const given = speechBaseUrl !== "" ? "SPEECH_BASE_URL" : speechApiKey !== "" ? "SPEECH_API_KEY" : null;
    return given === null ? null : `${given} is set without SPEECH_MODEL. Set it to the model that transcribes speech, or remove ${given}.`;
  }
  if (speechBaseUrl === "" && speechApiKey !== "") return "SPEECH_API_KEY is set without SPEECH_BASE_URL. Set both, or neither.";
  if (speechBaseUrl !== "" || provider === "openai" || provider === "openai-compatible") return null;
  return "SPEECH_MODEL needs an OpenAI-compatible server. Set SPEECH_BASE_URL, or LLM_PROVIDER to openai or openai-compatible.";
}
