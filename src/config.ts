import { isIP } from "node:net";
import { resolve } from "node:path";

/** One setting: its environment name, its default, what it means, and how its text becomes a value. */
type Setting<T> = {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  /** Throws an `Error` whose message completes "NAME …". */
  readonly read: (text: string) => T;
  readonly secret?: true;
};

const text = (name: string, fallback: string, meaning: string, secret?: true): Setting<string> => ({
  name,
  fallback,
  meaning,
  read: (value) => value,
  ...(secret === undefined ? {} : { secret }),
});

const wholeNumber = (name: string, fallback: number, min: number, max: number, meaning: string): Setting<number> => ({
  name,
  fallback: String(fallback),
  meaning,
  read(value) {
    const number = Number(value);
    if (!Number.isSafeInteger(number) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, but is "${value}"`);
    }
    return number;
  },
});

const oneOf = <T extends string>(name: string, fallback: T, choices: readonly T[], meaning: string): Setting<T> => ({
  name,
  fallback,
  meaning,
  read(value) {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`must be one of ${choices.filter((choice) => choice !== "").join(", ")}, but is "${value}"`);
    return found;
  },
});

const listOf = (name: string, fallback: string, meaning: string): Setting<readonly string[]> => ({
  name,
  fallback,
  meaning,
  read: (value) =>
    value
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ""),
});

const optionalUrl = (name: string, meaning: string): Setting<string> => ({
  name,
  fallback: "",
  meaning,
  read(value) {
    if (value !== "" && !/^https?:$/.test(URL.parse(value)?.protocol ?? "")) {
      throw new Error(`must be an http or https address, but is "${value}"`);
    }
    return value.replace(/\/+$/, "");
  },
});

/** Whether the entry is an IP address, a network in CIDR notation, or a range name of the proxy settings. */
function isNetwork(entry: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(entry)) return true;
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  return family !== 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)));
}

/** Every setting the service reads; `doctor` prints this table and the README links to it. */
export const SETTINGS = {
  port: wholeNumber("PORT", 8080, 0, 65_535, "Where it listens; 0 picks a free port, which the ready line shows."),
  host: text("HOST", "127.0.0.1", "The address it listens on."),
  baseUrl: optionalUrl(
    "BASE_URL",
    "Its public address, for links and for the names that /mcp is called under; by default made from host and port.",
  ),
  dataDir: {
    ...text("DATA_DIR", "./data", "The folder of the SQLite file, the secret key and the backups."),
    read: (value: string) => resolve(value),
  },
  backupDir: {
    ...text("BACKUP_DIR", "", "The folder of scheduled backups; by default backups in DATA_DIR."),
    read: (value: string) => (value === "" ? "" : resolve(value)),
  },
  databaseUrl: {
    ...text("DATABASE_URL", "", "postgres://user:password@host/database: PostgreSQL instead of the SQLite file.", true),
    read(value: string): string {
      if (value !== "" && !/^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ""))
        throw new Error("must be an address such as postgres://user:password@host:5432/database");
      return value;
    },
  },
  databaseConnections: wholeNumber("DATABASE_CONNECTIONS", 10, 2, 1_000, "Most connections of one process to PostgreSQL at once."),
  role: oneOf("ROLE", "all", ["all", "api", "worker"], "What this process does: answer calls, do the background work, or both."),
  logLevel: oneOf(
    "LOG_LEVEL",
    "info",
    ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    "Least severe lines that are logged.",
  ),
  fetchAllow: text("FETCH_ALLOW", "", "Private host:port pairs, separated by commas, that links may be fetched from."),
  webhookAllow: text("WEBHOOK_ALLOW", "", "Private host:port pairs, separated by commas, that webhooks may be posted to."),
  fetchRoutes: text("FETCH_ROUTES", "", "origin=origin pairs, separated by commas: requests for the first are sent to the second."),
  trustProxy: {
    ...text("TRUST_PROXY", "", "Addresses or networks of proxies whose forwarded address is believed, separated by commas."),
    read(value: string): string {
      const wrong = value.split(",").find((entry) => entry.trim() !== "" && !isNetwork(entry.trim()));
      if (wrong !== undefined)
        throw new Error(`must hold addresses or networks such as 10.0.0.5 or 10.0.0.0/8, but holds "${wrong.trim()}"`);
      return value;
    },
  },
  corsOrigins: text("CORS_ORIGINS", "", "Origins that may call the key routes from a browser, separated by commas."),
  llmProvider: oneOf(
    "LLM_PROVIDER",
    "",
    ["", "openai", "anthropic", "google", "openai-compatible"],
    "Whose language model answers: openai, anthropic, google or openai-compatible (Ollama, vLLM, llama.cpp …); without one answers are extractive.",
  ),
  llmModel: text("LLM_MODEL", "", "The model's name, as its provider has it."),
  llmApiKey: text("LLM_API_KEY", "", "The key for the provider; a server of your own may need none.", true),
  llmBaseUrl: optionalUrl(
    "LLM_BASE_URL",
    "Where the model is, such as http://127.0.0.1:11434/v1; may be private, since only this client reaches it.",
  ),
  llmTimeoutMs: wholeNumber("LLM_TIMEOUT_MS", 60_000, 100, 600_000, "The whole time of one answer of the language model, in milliseconds."),
  llmMaxOutputTokens: wholeNumber("LLM_MAX_OUTPUT_TOKENS", 2_000, 16, 100_000, "The most tokens of one answer of the language model."),
  embeddings: oneOf(
    "EMBEDDINGS",
    "local",
    ["local", "off", "openai-compatible"],
    "What makes the sentence vectors that passages are found by in other words: local (a model inside the install), openai-compatible, or off.",
  ),
  embeddingsModel: text("EMBEDDINGS_MODEL", "", "The embeddings model, as its server has it."),
  embeddingsBaseUrl: optionalUrl(
    "EMBEDDINGS_BASE_URL",
    "The OpenAI-compatible server of EMBEDDINGS_MODEL, such as http://127.0.0.1:11434/v1; may be private.",
  ),
  embeddingsApiKey: text("EMBEDDINGS_API_KEY", "", "The key for EMBEDDINGS_BASE_URL; a server of your own may need none.", true),
  askContextTokens: wholeNumber("ASK_CONTEXT_TOKENS", 32_000, 100, 1_000_000, "The most tokens of context one answer may use."),
  ingestConcurrency: wholeNumber(
    "INGEST_CONCURRENCY",
    16,
    1,
    256,
    "Links that are worked on at once; those that take long are counted apart, up to as many again.",
  ),
  ingestPerHost: wholeNumber("INGEST_PER_HOST", 2, 1, 256, "Links of one host that are worked on at once."),
  ingestTimeoutMs: wholeNumber(
    "INGEST_TIMEOUT_MS",
    30_000,
    100,
    3_600_000,
    "The whole time of one attempt at a link, in milliseconds; waiting for a thread that reads pages is not counted.",
  ),
  ingestAttempts: wholeNumber("INGEST_ATTEMPTS", 3, 1, 20, "Attempts at a link before its tile fails."),
  generateWaitMs: wholeNumber(
    "GENERATE_WAIT_MS",
    25_000,
    0,
    600_000,
    "How long a call waits for a generation before it is answered with 202, in milliseconds.",
  ),
  rateLimit: wholeNumber("RATE_LIMIT_PER_MINUTE", 6_000, 0, 100_000_000, "Requests a minute for each key; 0 turns the limit off."),
  rateLimitAsk: wholeNumber("RATE_LIMIT_ASK_PER_MINUTE", 120, 0, 100_000_000, "Questions a minute for each key; 0 turns the limit off."),
  webhookTimeoutMs: wholeNumber("WEBHOOK_TIMEOUT_MS", 10_000, 100, 600_000, "The whole time of one delivery, in milliseconds."),
  fetchGapMs: wholeNumber(
    "FETCH_GAP_MS",
    100,
    0,
    60_000,
    "The least time between two requests to one host, in milliseconds; hosts in FETCH_ALLOW wait for nothing.",
  ),
  transcriptLanguages: listOf(
    "TRANSCRIPT_LANGUAGES",
    "",
    "Languages of captions, most wanted first, such as en,de; by default those people wrote.",
  ),
  youtubeClients: listOf("YOUTUBE_CLIENTS", "VISIONOS,IOS,ANDROID", "Clients that YouTube's player is asked as, in order."),
  youtubeApiKey: text("YOUTUBE_API_KEY", "", "A key of the YouTube Data API, for videos that cannot be read without it.", true),
  metaToken: text("META_TOKEN", "", "A token of a Meta app with oEmbed Read, for posts on Instagram, Facebook and Threads.", true),
  redditClientId: text("REDDIT_CLIENT_ID", "", "The id of a Reddit app, for posts with all their comments."),
  redditClientSecret: text("REDDIT_CLIENT_SECRET", "", "The secret of that app.", true),
  githubToken: text("GITHUB_TOKEN", "", "A GitHub token without any permission, for more than 60 calls an hour.", true),
  fxTwitter: oneOf(
    "FXTWITTER",
    "off",
    ["on", "off"],
    "Whether the third party api.fxtwitter.com is asked for long posts and articles on X.",
  ),
  ytdlpPath: text("YTDLP_PATH", "", "The yt-dlp program, for captions that are not available otherwise."),
  visionModel: text(
    "VISION_MODEL",
    "",
    "The model of LLM_PROVIDER that reads pictures; without one only what a picture says of itself is read.",
  ),
  speechModel: text(
    "SPEECH_MODEL",
    "",
    "The model that writes down what is said in uploads of sound and video and in links to such files.",
  ),
  speechBaseUrl: optionalUrl(
    "SPEECH_BASE_URL",
    "The OpenAI-compatible server of SPEECH_MODEL, where it is another than LLM_BASE_URL; may be private.",
  ),
  speechApiKey: text("SPEECH_API_KEY", "", "The key for SPEECH_BASE_URL.", true),
  secretKey: text(
    "SECRET_KEY",
    "",
    "Encrypts stored secrets; made in the data directory on the first start when it is not given. With PostgreSQL it must be, the same for every node.",
    true,
  ),
  metricsToken: text("METRICS_TOKEN", "", "A bearer token that may read /metrics from elsewhere than loopback.", true),
  maxBodyBytes: wholeNumber("MAX_BODY_BYTES", 16 * 1_048_576, 1_024, 1_073_741_824, "The largest request body, in bytes."),
  maxFileBytes: wholeNumber("MAX_FILE_BYTES", 50 * 1_048_576, 1_024, 1_073_741_824, "The largest file that can be uploaded, in bytes."),
  maxZoneName: wholeNumber("MAX_ZONE_NAME_CHARACTERS", 200, 1, 100_000, "The longest name of a zone or board, in characters."),
  maxTitle: wholeNumber("MAX_TITLE_CHARACTERS", 500, 1, 100_000, "The longest title, in characters."),
  maxContent: wholeNumber("MAX_CONTENT_CHARACTERS", 1_000_000, 1, 100_000_000, "The longest content of a tile, in characters."),
  maxQuestion: wholeNumber("MAX_QUESTION_CHARACTERS", 4_000, 1, 100_000, "The longest question, in characters."),
} as const;

export type Config = { readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]["read"]> };

/** Thrown for an invalid setting; the message names it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads all settings from `environment`. Throws a `ConfigError` that names each invalid one. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([key, setting]) => {
    const given = environment[setting.name]?.trim();
    try {
      return [key, setting.read(given === undefined || given === "" ? setting.fallback : given)];
    } catch (error) {
      problems.push(`${setting.name} ${error instanceof Error ? error.message : String(error)}.`);
      return [key, undefined];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (config.databaseUrl !== "" && config.secretKey === "")
    problems.push(
      "SECRET_KEY is missing. With PostgreSQL every node needs the same one: make it with `openssl rand -base64 32` and give it to each.",
    );
  const modelProblem = problems.length === 0 ? findModelProblem(config) : null;
  if (modelProblem !== null) problems.push(modelProblem);
  const mediaProblem = problems.length === 0 ? findMediaProblem(config) : null;
  if (mediaProblem !== null) problems.push(mediaProblem);
  const embeddingsProblem = problems.length === 0 ? findEmbeddingsProblem(config) : null;
  if (embeddingsProblem !== null) problems.push(embeddingsProblem);
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return config;
}

/** Describes a conflict between the language model settings. Returns null when they are consistent. */
function findModelProblem({ llmProvider: provider, llmModel, llmApiKey, llmBaseUrl }: Config): string | null {
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
  if (/[^\x21-\x7e]/.test(llmApiKey)) return "LLM_API_KEY holds a blank or a letter that no key has. Copy it once more.";
  if (llmModel === "") return `LLM_MODEL is missing. With LLM_PROVIDER=${provider} it names the model.`;
  if (provider === "openai-compatible")
    return llmBaseUrl === ""
      ? "LLM_BASE_URL is missing. With LLM_PROVIDER=openai-compatible it is the address of the server, such as http://127.0.0.1:11434/v1."
      : null;
  return llmApiKey === "" ? `LLM_API_KEY is missing. ${provider} takes no call without a key.` : null;
}

/** Describes a conflict between the embedding settings. Returns null when they are consistent. */
function findEmbeddingsProblem({ embeddings, embeddingsModel, embeddingsBaseUrl, embeddingsApiKey }: Config): string | null {
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
    : `${missing[0]} is missing. EMBEDDINGS=openai-compatible needs to know the server and its model: set EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL.`;
}

/** Describes a conflict between the vision and speech model settings. Returns null when they are consistent. */
function findMediaProblem({ llmProvider: provider, visionModel, speechModel, speechBaseUrl, speechApiKey }: Config): string | null {
  if (visionModel !== "" && provider === "") return "VISION_MODEL is set without LLM_PROVIDER. Set LLM_PROVIDER to whose model it is.";
  if (speechModel === "") {
    const given = speechBaseUrl !== "" ? "SPEECH_BASE_URL" : speechApiKey !== "" ? "SPEECH_API_KEY" : null;
    return given === null ? null : `${given} is set without SPEECH_MODEL. Set it to the model that writes down speech, or remove ${given}.`;
  }
  if (speechBaseUrl === "" && speechApiKey !== "")
    return "SPEECH_API_KEY is set without SPEECH_BASE_URL, whose key it is. Set both, or neither.";
  if (speechBaseUrl !== "" || provider === "openai" || provider === "openai-compatible") return null;
  return "SPEECH_MODEL needs an OpenAI-compatible server. Set SPEECH_BASE_URL, or LLM_PROVIDER to openai or openai-compatible.";
}
