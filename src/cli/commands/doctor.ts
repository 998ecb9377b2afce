import { type Config, ConfigError, SETTINGS, readConfig } from "#config";
import { getErrorMessage } from "#domain/core/error.ts";
import { isoTime } from "#domain/core/system.ts";
import { getBackupStatus } from "#domain/settings/backup.ts";
import { ModelError } from "#domain/model/model.ts";
import type { Deps } from "#service/deps.ts";
import { isSecureAddress } from "#service/people/secure-address.ts";
import { type Command, type Invocation, print, withData } from "../command.ts";

type Check = { readonly name: string; readonly ok: boolean; readonly message: string };

/** Private addresses that the guard must always refuse. */
const PRIVATE_URLS = ["http://169.254.169.254/", "http://[::ffff:169.254.169.254]/", "http://2852039166/"];

export const DOCTOR: Command = {
  name: "doctor",
  summary: "Checks settings, storage, models and network guard; exit code 1 when something is wrong.",
  async run(invocation) {
    const checks = await examine(invocation);
    const isHealthy = checks.every(({ ok }) => ok);
    const settings = describeSettings();
    print(invocation, { ok: isHealthy, checks, settings }, [
      ...settings.map(({ name, value, meaning }) => `${name.padEnd(28)} ${value.padEnd(20)} ${meaning}`),
      "",
      ...checks.map(({ name, ok, message }) => `${ok ? "ok   " : "WRONG"} ${name}: ${message}`),
    ]);
    return isHealthy ? 0 : 1;
  },
};

async function examine(invocation: Invocation): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return [{ name: "settings", ok: false, message: getErrorMessage(error) }];
  }
  const checks: Check[] = [{ name: "settings", ok: true, message: `data in ${describeDatabase(config)}` }];
  try {
    await withData(invocation, async ({ deps }) => {
      await deps.store.ping();
      const counts = await deps.store.tiles.counts();
      checks.push({
        name: "storage",
        ok: true,
        message: `reachable and up to date; ${counts.processing} tiles processing, ${counts.indexPending} waiting for the index`,
      });
      const open = PRIVATE_URLS.filter((address) => deps.links.read(address).ok || deps.links.readWebhook(address).ok);
      checks.push(
        open.length === 0
          ? { name: "network guard", ok: true, message: "private addresses are refused" }
          : {
              name: "network guard",
              ok: false,
              message: `${open.join(", ")} would be fetched. Remove them from FETCH_ALLOW or WEBHOOK_ALLOW.`,
            },
      );
      checks.push(examineAddress(config), await examineBackups(deps), await examineModel(deps), await examineEmbedder(deps));
    });
  } catch (error) {
    checks.push({ name: error instanceof ConfigError ? "settings" : "storage", ok: false, message: getErrorMessage(error) });
  }
  return checks;
}

/** Warns when passwords are sent over plain http. This is not an error. */
function examineAddress({ baseUrl, host }: Config): Check {
  const name = "log-in";
  if (isSecureAddress(baseUrl, host))
    return { name, ok: true, message: "sessions are kept in cookies that are sent to this host only, over https or loopback" };
  const message =
    "warning: people log in over plain http, which others on the network can read. Put an HTTPS proxy in front and set BASE_URL to its address.";
  return { name, ok: true, message };
}

/** Checks whether backups are scheduled and the last one succeeded. */
async function examineBackups({ store: { backups }, clock }: Pick<Deps, "store" | "clock">): Promise<Check> {
  const name = "backups";
  const [{ nextAt }, [last]] = await Promise.all([backups.schedule(), backups.runs(1)]);
  const { status, error } = last === undefined ? { status: null, error: null } : getBackupStatus(last, clock.now());
  if (last !== undefined && status === "failed")
    return { name, ok: false, message: `the last one, of ${isoTime(last.startedAt)}, failed: ${error ?? "the reason is unknown."}` };
  const next = nextAt === null ? "none are scheduled; schedule them with `tessera backups set`" : `the next is due at ${isoTime(nextAt)}`;
  return { name, ok: true, message: last === undefined ? next : `the last is of ${isoTime(last.startedAt)}; ${next}` };
}

/** Maximum output tokens of the test call. Some models refuse a lower limit. */
const TEST_TOKENS = 16;

/** Checks whether a language model is configured and answers a minimal call. */
async function examineModel({ model, settings }: Pick<Deps, "model" | "settings">): Promise<Check> {
  if (model === null) return { name: "model", ok: true, message: "none is configured; answers are extractive" };
  const answers = { name: "model", ok: true, message: `${model.name} answers` };
  const signal = AbortSignal.timeout(settings.llmTimeoutMs);
  const { text } = model.stream({ system: "Answer with one word.", prompt: "Say yes.", maxOutputTokens: TEST_TOKENS, signal });
  try {
    for await (const _ of text) return answers;
    return answers;
  } catch (error) {
    // The output was truncated, so model and key work.
    if (error instanceof ModelError && error.failure === "cut_off") return answers;
    const reason = signal.aborted ? `The language model did not answer within ${settings.llmTimeoutMs} ms.` : getErrorMessage(error);
    const detail = error instanceof ModelError && error.cause !== undefined ? ` (${getErrorMessage(error.cause)})` : "";
    return { name: "model", ok: false, message: `${model.name}: ${reason}${detail}` };
  }
}

/** Timeout for loading the embedding model and for one vector, in milliseconds. */
const EMBED_TIMEOUT_MS = 60_000;

/** Checks whether sentence vectors are enabled and can be computed. */
async function examineEmbedder({ embedder }: Pick<Deps, "embedder">): Promise<Check> {
  const name = "sentence vectors";
  if (embedder === null) return { name, ok: true, message: "off (EMBEDDINGS); passages are found by their words" };
  try {
    const [vector] = await embedder.embed(["harbour"], { isUrgent: true, signal: AbortSignal.timeout(EMBED_TIMEOUT_MS) });
    return { name, ok: true, message: `${embedder.model} answers with ${vector?.length ?? 0} dimensions` };
  } catch (error) {
    const detail = error instanceof Error && error.cause !== undefined ? ` (${getErrorMessage(error.cause)})` : "";
    return { name, ok: false, message: `${embedder.model}: ${getErrorMessage(error)}${detail}` };
  }
}

/** Describes the database without user and password. */
function describeDatabase({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl === "") return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}, database ${decodeURIComponent(pathname.slice(1)) || "of the user's name"}`;
}

/** Lists the effective settings. Secrets are shown as "(set)". */
function describeSettings(): { readonly name: string; readonly value: string; readonly meaning: string }[] {
  return Object.values(SETTINGS).map((setting) => {
    const given = process.env[setting.name]?.trim() ?? "";
    const shown = "secret" in setting && given !== "" ? "(set)" : given;
    return {
      name: setting.name,
      value: shown === "" ? `(${setting.fallback === "" ? "none" : setting.fallback})` : shown,
      meaning: setting.meaning,
    };
  });
}
