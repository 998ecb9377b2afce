import { VERSION } from "#domain/core/version.ts";
import { join } from "node:path";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { BackupFolder } from "#domain/settings/backup.ts";
import { systemClock } from "#domain/core/system.ts";
import type { Fetcher } from "#domain/content/fetch.ts";
import { NO_LOG } from "#domain/core/log.ts";
import { NO_METER } from "#domain/metrics/meter.ts";
import type { Embedder } from "#domain/answers/vectors.ts";
import type { WebhookSender } from "#domain/settings/webhook.ts";
import { detectFile } from "#ingest/formats/upload.ts";
import { detectKind, getHostGroup } from "#ingest/detect.ts";
import { createPool } from "#ingest/threads/pool.ts";
import { openEmbedder } from "#llm/embedder/open.ts";
import { type OpenedModel, openLanguageModel } from "#llm/model.ts";
import { createFetcher } from "#net/fetcher.ts";
import { createHostThrottle } from "#net/host-throttle.ts";
import { TRANSFER_LIMITS } from "#net/transfer-limits.ts";
import { type AllowList, parseAllow, parseRoutes, readUrl, readWebAddress, type Routes } from "#net/url.ts";
import { createWebhookSender, readWebhookUrl } from "#net/webhook-sender.ts";
import { createPasswords } from "#people/passwords.ts";
import { stopAll } from "#runtime/process/stop-all.ts";
import { detectLanguage } from "#retrieval/text/language/language.ts";
import { createBusiness } from "#service/content/boards.ts";
import type { Deps, LinkRules, ServiceSettings } from "#service/deps.ts";
import { keepSessionsInMemory } from "#service/people/memory-sessions.ts";
import { createMaterialQueue, createQuestionQueue, createWaitQueue, createWorkQueue } from "#service/work-queue.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { createBackupFolder } from "#storage/transfer/backup-folder.ts";
import { createAnalyser } from "./analysis/analyser.ts";
import { createTokenCounter } from "./analysis/token-counter.ts";
import { type Config, ConfigError } from "#config";
import { requireLongKey } from "./secrets/key-length.ts";
import { type SecretKey, openSecretKey } from "./secrets/secret-key.ts";
import { openStore } from "./start/installation.ts";

const USER_AGENT = `Tessera/${VERSION} (self-hosted board content service; fetches links its users add)`;
/** The limits of a thread that cleans pages, reads files or analyses text. */
const THREAD_LIMITS = {
  timeoutMs: 10_000,
  memoryMb: 80,
  fileMemoryMb: 144,
  idleMs: 20_000,
};
/** Memory outside the heap that a thread may take beside the file that it reads, in MiB: a drawing of 20 MB in a PDF takes 70. */
const BUFFERS_BESIDE_FILE_MB = 80;
const READING_THREADS = 2;

/** The shared dependencies of server and command line (composition root). */
export type AppContext = {
  readonly deps: Deps;
  readonly secretKey: SecretKey;
  readonly fetcher: Fetcher;
  readonly webhookSender: WebhookSender;
  readonly pool: ReturnType<typeof createPool>;
  readonly backupFolder: BackupFolder;
  /** Stores the sessions that began while the disk was full. */
  readonly storeSessions: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Opens the store and creates the first business if there is none. Does not listen or start background work. An examination creates and
 * stores no secret key. `meter` counts what the use cases do, and `log` tells the operator.
 */
export async function openAppContext(config: Config, { isExamination = false, meter = NO_METER, log = NO_LOG } = {}): Promise<AppContext> {
  const fetchAllow = readSetting("FETCH_ALLOW", () => parseAllow(config.fetchAllow));
  const webhookAllow = readSetting("WEBHOOK_ALLOW", () => parseAllow(config.webhookAllow));
  const routes = readSetting("FETCH_ROUTES", () => parseRoutes(config.fetchRoutes));
  const { opened, secretKey } = await openStoreAndKey(config, isExamination);
  const { storeSessions, ...sessions } = keepSessionsInMemory(opened);
  const store = { ...opened, ...sessions };
  const fetcher = openFetcher(config, fetchAllow, routes);
  const webhookSender = createWebhookSender({ allow: webhookAllow, timeoutMs: config.webhookTimeoutMs, userAgent: USER_AGENT });
  const limits = { ...THREAD_LIMITS, maxBuffersMb: BUFFERS_BESIDE_FILE_MB + Math.ceil(config.maxFileBytes / 1_048_576) };
  const pool = createPool({ ...limits, size: READING_THREADS });
  // Questions must not wait for pages, so text is analysed in a separate thread.
  const analysisPool = createPool({ ...limits, size: 1 });
  const language = openModel(config);
  const embedder = openSentenceModel(config);
  const deps: Deps = {
    store,
    clock: systemClock,
    log,
    secretBox: secretKey.box,
    passwords: createPasswords(),
    model: language?.model ?? null,
    meter,
    analyser: createAnalyser(analysisPool, store.search),
    embedder,
    readMail: pool.mail,
    questionQueue: createQuestionQueue(),
    waitQueue: createWaitQueue(),
    workQueue: createWorkQueue(),
    materialQueue: createMaterialQueue(),
    tokenCounter: createTokenCounter(),
    links: createLinkRules(fetchAllow, webhookAllow),
    settings: selectSettings(config),
  };
  const close = (): Promise<void> =>
    stopAll(
      [
        pool.close,
        analysisPool.close,
        fetcher.close,
        webhookSender.close,
        () => language?.close(),
        () => embedder?.close(),
        deps.tokenCounter.close,
      ],
      [store.close],
    );
  await createFirstBusiness(deps, close);
  return {
    deps,
    secretKey,
    fetcher,
    webhookSender,
    pool,
    backupFolder: openBackupFolder(config),
    storeSessions,
    close,
  };
}

const createLinkRules = (fetchAllow: AllowList, webhookAllow: AllowList): LinkRules => ({
  read: (input) => readUrl(input, fetchAllow),
  readSource: (input) => readWebAddress(input),
  readWebhook: (input) => readWebhookUrl(input, webhookAllow),
  detect: detectKind,
  detectFile,
  getHostGroup,
});

/** Selects the settings of the use cases. */
const selectSettings = (config: Config): ServiceSettings => ({
  ingestAttempts: config.ingestAttempts,
  askContextTokens: config.askContextTokens,
  maxName: config.maxZoneName,
  maxTitle: config.maxTitle,
  llmTimeoutMs: config.llmTimeoutMs,
  llmMaxOutputTokens: config.llmMaxOutputTokens,
});

const openFetcher = ({ fetchGapMs, ingestTimeoutMs }: Config, allow: AllowList, routes: Routes): ReturnType<typeof createFetcher> =>
  createFetcher({
    allow,
    routes,
    userAgent: USER_AGENT,
    throttle: createHostThrottle(fetchGapMs),
    // A longer attempt is meant for origins that take longer to begin.
    limits: { headersMs: Math.max(TRANSFER_LIMITS.headersMs, ingestTimeoutMs / 3) },
  });

async function openStoreAndKey(config: Config, isExamination: boolean) {
  if (!isExamination) await requireLongKey(config);
  const opened = await openStore(config);
  try {
    return { opened, secretKey: await openSecretKey(config, opened, isExamination) };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Creates the first business if there is none. An error closes what was opened, and is thrown whether or not that succeeds. */
async function createFirstBusiness(deps: Deps, close: () => Promise<void>): Promise<void> {
  try {
    await createBusiness(deps, "My business", { onlyIfNone: true });
  } catch (error) {
    await close().catch((closeError: unknown) => process.stderr.write(`Closing failed: ${getErrorMessage(closeError)}\n`));
    throw error;
  }
}

const openBackupFolder = ({ backupDir, dataDir, databaseUrl }: Config): BackupFolder =>
  createBackupFolder(
    backupDir === "" ? join(dataDir, "backups") : backupDir,
    databaseUrl === "" ? { engine: "sqlite", file: databaseFile(dataDir) } : { engine: "postgres", url: databaseUrl },
  );

function openModel(config: Config): OpenedModel | null {
  const { llmProvider: provider, llmModel: model, llmApiKey: apiKey, llmBaseUrl: baseUrl } = config;
  return provider === "" ? null : openLanguageModel({ provider, model, apiKey, baseUrl });
}

const openSentenceModel = (config: Config): Embedder | null =>
  openEmbedder(
    { kind: config.embeddings, model: config.embeddingsModel, baseUrl: config.embeddingsBaseUrl, apiKey: config.embeddingsApiKey },
    detectLanguage,
  );

function readSetting<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
