import type { Config } from "#config";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import { isoTime } from "#domain/core/system.ts";
import { getBackupStatus } from "#domain/settings/backup.ts";
import { ModelError } from "#domain/model/model.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import type { Deps, StoreDeps } from "#service/deps.ts";
import { isSecureAddress } from "#service/people/secure-address.ts";
import { type Check, ok, problem, warning } from "./check.ts";

/** Private addresses that the guard must always refuse. */
const PRIVATE_URLS = ["http://169.254.169.254/", "http://[::ffff:169.254.169.254]/", "http://2852039166/"];

export async function examineStorage({ store }: Pick<Deps, "store">): Promise<Check> {
  await store.ping();
  const { processing, indexPending } = await store.tiles.counts();
  return ok("storage", `reachable and up to date; ${processing} tiles processing, ${indexPending} waiting for the index`);
}

/** Warns while the search index of boards is built anew, such as after damage. */
export async function examineIndex({ store: { indexRebuild } }: Pick<Deps, "store">): Promise<Check> {
  const name = "search index";
  const count = (await indexRebuild.unfinished()).length;
  return count === 0
    ? ok(name, "complete, except for tiles that wait")
    : warning(
        name,
        `${count} ${count === 1 ? "board is" : "boards are"} being rebuilt.`,
        `A running server completes it, or "${formatCommand("reindex")}".`,
      );
}

export function examineGuard({ links }: Pick<Deps, "links">): Check {
  const name = "network guard";
  const open = PRIVATE_URLS.filter((address) => links.read(address).ok || links.readWebhook(address).ok);
  return open.length === 0
    ? ok(name, "private addresses are refused")
    : problem(name, `${open.join(", ")} would be fetched.`, "Remove them from FETCH_ALLOW or WEBHOOK_ALLOW.");
}

/** Warns when passwords are sent over plain http. This is not an error. */
export function examineAddress({ baseUrl, host }: Config): Check {
  const name = "log-in";
  return isSecureAddress(baseUrl, host)
    ? ok(name, "sessions are kept in cookies that are sent to this host only, over https or loopback")
    : warning(
        name,
        "people log in over plain http, which others on the network can read.",
        "Put an HTTPS proxy in front and set BASE_URL to its address.",
      );
}

/** Checks whether backups are scheduled and the last one succeeded. */
export async function examineBackups({ store: { backups }, clock }: StoreDeps): Promise<Check> {
  const name = "backups";
  const [{ nextAt }, [last]] = await Promise.all([backups.schedule(), backups.runs(1)]);
  const { status, error } = last === undefined ? { status: null, error: null } : getBackupStatus(last, clock.now());
  if (last !== undefined && status === "failed")
    return problem(
      name,
      `the last one, of ${isoTime(last.startedAt)}, failed: ${error ?? "the reason is unknown."}`,
      `Fix the cause; "${formatCommand("backups")}" lists the last ones.`,
    );
  const before = last === undefined ? "" : `the last is of ${isoTime(last.startedAt)}; `;
  if (nextAt === null)
    return warning(
      name,
      `${before}none are scheduled`,
      `Schedule them with "${formatCommand("backups set --every day --hour 3 --keep 14")}", unless another program makes them.`,
    );
  return ok(name, `${before}the next is due at ${isoTime(nextAt)}`);
}

/** Maximum output tokens of the test call. Some models refuse a lower limit. */
const TEST_TOKENS = 16;

/** Checks whether a language model is configured and answers a minimal call. */
export async function examineModel({ model, settings }: Pick<Deps, "model" | "settings">): Promise<Check> {
  const name = "model";
  if (model === null) return ok(name, "none is configured; answers are extractive");
  const answers = ok(name, `${model.name} answers`);
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
    return problem(name, `${model.name}: ${reason}${detail}`, "Check LLM_PROVIDER, LLM_MODEL, LLM_API_KEY and LLM_BASE_URL.");
  }
}

/** Timeout for loading a thread and for its first result, in milliseconds. */
const THREAD_TIMEOUT_MS = 60_000;

/** Checks whether sentence vectors are enabled and can be computed, and are of the model that the database has. */
export async function examineEmbedder({ embedder, store }: Pick<Deps, "embedder" | "store">): Promise<Check> {
  const name = "sentence vectors";
  const stored = await store.vectors.modelInUse();
  if (stored !== null && stored !== embedder?.model)
    return warning(
      name,
      `${embedder?.model ?? "off"} by these settings, but the vectors in use are of ${stored}.`,
      "Give all nodes the same EMBEDDINGS settings. If you meant to change them, restart every node: then they take effect, and a new model makes all vectors anew.",
    );
  if (embedder === null) return ok(name, "off (EMBEDDINGS); passages are found by their words");
  try {
    const [vector] = await embedder.embed(["harbour"], { isUrgent: true, signal: AbortSignal.timeout(THREAD_TIMEOUT_MS) });
    return ok(name, `${embedder.model} answers with ${vector?.length ?? 0} dimensions`);
  } catch (error) {
    const detail = error instanceof Error && error.cause !== undefined ? ` (${getErrorMessage(error.cause)})` : "";
    return problem(name, `${embedder.model}: ${getErrorMessage(error)}${detail}`, "Check the EMBEDDINGS settings, or set EMBEDDINGS=off.");
  }
}

/** Checks whether the tokens of answers can be counted. */
export async function examineTokenCounter({ tokenCounter }: Pick<Deps, "tokenCounter">): Promise<Check> {
  const name = "token counter";
  try {
    await tokenCounter.count(["harbour"], AbortSignal.timeout(THREAD_TIMEOUT_MS));
    return ok(name, "counts the tokens of answers");
  } catch (error) {
    const detail = error instanceof Error && error.cause !== undefined ? ` (${getErrorMessage(error.cause)})` : "";
    return problem(name, `${getErrorMessage(error)}${detail}`, "Check that the installation is complete, and that memory is free.");
  }
}
