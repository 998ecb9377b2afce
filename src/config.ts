import { resolve } from "node:path";
import { findEmbeddingsProblem, findMediaProblem, findModelProblem } from "./config/model-settings.ts";
import { isNetwork, listOf, listOfOrigins, oneOf, optionalOrigin, optionalUrl, text, wholeNumber } from "./config/setting.ts";

/** Node finds no current folder if it was removed. */
function toAbsolute(path: string): string {
  try {
    return resolve(path);
  } catch {
    throw new Error("is below the current folder, which was removed: change to another folder, or set an absolute path");
  }
}

/** Whether each % of an address begins an encoded character. */
function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

/** All settings of the service. `tessera doctor` prints this table. */
export const SETTINGS = {
  port: wholeNumber("PORT", 8080, 0, 65_535, "The port to listen on; 0 picks a free port, which the ready line shows."),
  host: text("HOST", "127.0.0.1", "The address to listen on."),
  baseUrl: optionalOrigin(
    "BASE_URL",
    "The public address of the service without a path, for links and as the host name of /mcp; by default made from host and port.",
  ),
  dataDir: {
    ...text("DATA_DIR", "./data", "The folder of the SQLite file, the secret key and the backups."),
    read: toAbsolute,
  },
  backupDir: {
    ...text("BACKUP_DIR", "", "The folder of scheduled backups; by default backups in DATA_DIR."),
    read: (value: string) => (value === "" ? "" : toAbsolute(value)),
  },
  databaseUrl: {
    ...text("DATABASE_URL", "", "postgres://user:password@host/database: PostgreSQL instead of the SQLite file.", true),
    read(value: string): string {
      const protocol = URL.parse(value)?.protocol ?? "";
      if (value === "") return value;
      if (/^postgres(ql)?:$/.test(protocol)) {
        if (!isDecodable(value))
          throw new Error("has a % that is not part of an encoded character: write %25 for it, such as in a password");
        return value;
      }
      // Other parts of the address may be a password.
      const given = /^[a-z][a-z+]{0,20}:$/.test(protocol) ? `, and not ${protocol}//` : "";
      throw new Error(`must be the address of a PostgreSQL database, such as postgres://user:password@host:5432/database${given}`);
    },
  },
  databaseConnections: wholeNumber("DATABASE_CONNECTIONS", 10, 2, 1_000, "Maximum number of connections of one process to PostgreSQL."),
  role: oneOf(
    "ROLE",
    "all",
    ["all", "api", "worker"],
    "What this process does: serve calls (api), background work (worker), or both (all).",
  ),
  logLevel: oneOf(
    "LOG_LEVEL",
    "info",
    ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    "The minimum level of logged lines.",
  ),
  logFormat: oneOf(
    "LOG_FORMAT",
    "auto",
    ["auto", "json", "text"],
    "How the server writes its output: every line as JSON, as readable text, or (auto) the log as JSON lines, and as text on a terminal.",
  ),
  fetchAllow: text("FETCH_ALLOW", "", "Private host:port pairs, separated by commas, that links may be fetched from."),
  webhookAllow: text("WEBHOOK_ALLOW", "", "Private host:port pairs, separated by commas, that webhooks may be posted to."),
  fetchRoutes: text("FETCH_ROUTES", "", "origin=origin pairs, separated by commas: requests for the first are sent to the second."),
  trustProxy: {
    ...text("TRUST_PROXY", "", "Addresses or networks of trusted proxies, separated by commas. Their forwarded client address is used."),
    read(value: string): string {
      const wrong = value.split(",").find((entry) => entry.trim() !== "" && !isNetwork(entry.trim()));
      if (wrong !== undefined)
        throw new Error(`must hold addresses or networks such as 10.0.0.5 or 10.0.0.0/8, but holds "${wrong.trim()}"`);
      return value;
    },
  },
  corsOrigins: listOfOrigins("CORS_ORIGINS", "Exact origins that may call the key routes from a browser, separated by commas."),
  llmProvider: oneOf(
    "LLM_PROVIDER",
    "",
    ["", "openai", "anthropic", "google", "openai-compatible"],
    "The provider of the language model: openai, anthropic, google or openai-compatible (Ollama, vLLM, llama.cpp …). Without one, answers are extractive.",
  ),
  llmModel: text("LLM_MODEL", "", "The name of the model at its provider."),
  llmApiKey: text("LLM_API_KEY", "", "The API key of the provider; your own server may need none.", true),
  llmBaseUrl: optionalUrl(
    "LLM_BASE_URL",
    "The address of the model server, such as http://127.0.0.1:11434/v1. It may be private, since only the model client connects to it.",
  ),
  llmTimeoutMs: wholeNumber(
    "LLM_TIMEOUT_MS",
    60_000,
    100,
    600_000,
    "Timeout for a complete answer of the language model, in milliseconds.",
  ),
  llmMaxOutputTokens: wholeNumber("LLM_MAX_OUTPUT_TOKENS", 2_000, 16, 100_000, "Maximum tokens of one answer of the language model."),
  embeddings: oneOf(
    "EMBEDDINGS",
    "local",
    ["local", "off", "openai-compatible"],
    "What computes sentence vectors, by which passages in other words are found: local (a model inside the install), openai-compatible, or off.",
  ),
  embeddingsModel: text("EMBEDDINGS_MODEL", "", "The name of the embeddings model on its server."),
  embeddingsBaseUrl: optionalUrl(
    "EMBEDDINGS_BASE_URL",
    "The OpenAI-compatible server of EMBEDDINGS_MODEL, such as http://127.0.0.1:11434/v1; may be private.",
  ),
  embeddingsApiKey: text("EMBEDDINGS_API_KEY", "", "The API key for EMBEDDINGS_BASE_URL; your own server may need none.", true),
  askContextTokens: wholeNumber("ASK_CONTEXT_TOKENS", 32_000, 100, 1_000_000, "Maximum tokens of context for one answer."),
  ingestConcurrency: wholeNumber(
    "INGEST_CONCURRENCY",
    16,
    1,
    256,
    "Links that are ingested at once. Slow ones are counted separately, up to the same number, and first links of businesses up to twice that.",
  ),
  ingestPerHost: wholeNumber("INGEST_PER_HOST", 2, 1, 256, "Links of one host that are ingested at once."),
  ingestTimeoutMs: wholeNumber(
    "INGEST_TIMEOUT_MS",
    30_000,
    100,
    3_600_000,
    "Timeout for one attempt at a link, in milliseconds, without the wait for a thread that reads pages.",
  ),
  ingestAttempts: wholeNumber("INGEST_ATTEMPTS", 3, 1, 20, "Attempts at a link before its tile fails."),
  generateWaitMs: wholeNumber(
    "GENERATE_WAIT_MS",
    25_000,
    0,
    600_000,
    "How long a call waits for a generation before it returns 202, in milliseconds.",
  ),
  rateLimit: wholeNumber(
    "RATE_LIMIT_PER_MINUTE",
    6_000,
    0,
    100_000_000,
    "Requests a minute for each key and member; 0 turns the limit off.",
  ),
  rateLimitAsk: wholeNumber(
    "RATE_LIMIT_ASK_PER_MINUTE",
    120,
    0,
    100_000_000,
    "Questions and generations a minute for each key and member; 0 turns the limit off.",
  ),
  webhookTimeoutMs: wholeNumber("WEBHOOK_TIMEOUT_MS", 10_000, 100, 600_000, "Timeout for one delivery, in milliseconds."),
  fetchGapMs: wholeNumber(
    "FETCH_GAP_MS",
    100,
    0,
    60_000,
    "Minimum time between two requests to one host, in milliseconds; not for hosts in FETCH_ALLOW.",
  ),
  transcriptLanguages: listOf(
    "TRANSCRIPT_LANGUAGES",
    "",
    "Preferred languages of captions, such as en,de; by default captions written by people are preferred.",
  ),
  youtubeClients: listOf("YOUTUBE_CLIENTS", "VISIONOS,IOS,ANDROID", "Names of clients that are sent to YouTube's player, in order."),
  youtubeApiKey: text("YOUTUBE_API_KEY", "", "A key of the YouTube Data API, for videos that cannot be read without it.", true),
  metaToken: text("META_TOKEN", "", "A token of a Meta app with oEmbed Read, for posts on Instagram, Facebook and Threads.", true),
  redditClientId: text("REDDIT_CLIENT_ID", "", "The id of a Reddit app, for posts with all their comments."),
  redditClientSecret: text("REDDIT_CLIENT_SECRET", "", "The secret of that app.", true),
  githubToken: text("GITHUB_TOKEN", "", "A GitHub token without any permission, for more than 60 calls an hour.", true),
  fxTwitter: oneOf(
    "FXTWITTER",
    "off",
    ["on", "off"],
    "Whether long posts and articles on X are read from the third party api.fxtwitter.com.",
  ),
  ytdlpPath: text("YTDLP_PATH", "", "The yt-dlp program, for captions that are not available otherwise."),
  visionModel: text("VISION_MODEL", "", "The model of LLM_PROVIDER that reads pictures. Without one, only their metadata is read."),
  speechModel: text("SPEECH_MODEL", "", "The model that transcribes speech in audio and video, from uploads and links."),
  speechBaseUrl: optionalUrl("SPEECH_BASE_URL", "The OpenAI-compatible server of SPEECH_MODEL, if it is not LLM_BASE_URL; may be private."),
  speechApiKey: text("SPEECH_API_KEY", "", "The API key for SPEECH_BASE_URL.", true),
  secretKey: text(
    "SECRET_KEY",
    "",
    "Encrypts stored secrets. By default it is generated in the data directory on the first start. With PostgreSQL it is required, and the same for every node.",
    true,
  ),
  metricsToken: text("METRICS_TOKEN", "", "A bearer token for reading /metrics from other hosts than loopback.", true),
  maxBodyBytes: wholeNumber("MAX_BODY_BYTES", 16 * 1_048_576, 1_024, 1_073_741_824, "Maximum size of a request body, in bytes."),
  maxFileBytes: wholeNumber("MAX_FILE_BYTES", 50 * 1_048_576, 1_024, 1_073_741_824, "Maximum size of an uploaded file, in bytes."),
  maxZoneName: wholeNumber("MAX_ZONE_NAME_CHARACTERS", 200, 1, 100_000, "Maximum length of the name of a zone or board, in characters."),
  maxTitle: wholeNumber("MAX_TITLE_CHARACTERS", 500, 1, 100_000, "Maximum length of a title, in characters."),
  maxContent: wholeNumber("MAX_CONTENT_CHARACTERS", 1_000_000, 1, 100_000_000, "Maximum length of the content of a tile, in characters."),
  maxQuestion: wholeNumber("MAX_QUESTION_CHARACTERS", 4_000, 1, 100_000, "Maximum length of a question, in characters."),
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
  // Undefined if it is invalid, which may be no PostgreSQL at all.
  if ((config.databaseUrl ?? "") !== "" && config.secretKey === "")
    problems.push(
      "SECRET_KEY is missing. With PostgreSQL every node needs the same one: make it with `openssl rand -base64 32` and give it to each.",
    );
  if (problems.length === 0) {
    const problem = findModelProblem(config) ?? findMediaProblem(config) ?? findEmbeddingsProblem(config);
    if (problem !== null) problems.push(problem);
  }
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return config;
}
