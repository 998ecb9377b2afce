import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, ConfigError, readConfig } from "#config";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import { openAppContext } from "#composition/app-context.ts";
import { describeLocation, isInstalled, needsMigration } from "#composition/start/installation.ts";
import { describeFailure } from "#runtime/process/failure.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import type { Deps } from "#service/deps.ts";
import type { Invocation } from "../command.ts";
import { withBusiness } from "../with-data.ts";
import { type Check, attempt, ok, problem, toFailedCheck, warning } from "./check.ts";
import {
  examineBackupDir,
  examineClock,
  examineDataDir,
  examineDisk,
  examineHandles,
  examineNode,
  examinePage,
  examinePort,
} from "./machine.ts";
import { examineKey, examineKeyAlone } from "./secret-key.ts";
import {
  examineAddress,
  examineBackups,
  examineEmbedder,
  examineGuard,
  examineIndex,
  examineModel,
  examineStorage,
  examineTokenCounter,
} from "./services.ts";

/** Runs every check that the settings allow. Creates no installation, and migrates none. */
export async function examine(invocation: Invocation): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return [examineNode(), problem("settings", describeFailure(error))];
  }
  const dataDir = config.databaseUrl === "" ? examineDataDir(config) : ok("data directory", "not used, with PostgreSQL");
  const isReadable = dataDir.state !== "problem";
  const machine = [
    examineNode(),
    ok("settings", `data in ${describeLocation(config)}`),
    dataDir,
    ...(isReadable ? [await attempt("disk", () => examineDisk(config)), await attempt("clock", () => examineClock(config))] : []),
    ...(config.backupDir === "" ? [] : [await attempt("backup directory", () => examineBackupDir(config))]),
    await attempt("file handles", () => examineHandles(config)),
    await attempt("port", () => examinePort(config)),
    await attempt("web page", () => examinePage(config)),
  ];
  try {
    return [...machine, ...(isReadable ? await examineInstallation(config, invocation) : await examineWithout(config))];
  } catch (error) {
    return [...machine, error instanceof ConfigError ? problem("settings", getErrorMessage(error)) : toFailedCheck("storage", error)];
  }
}

async function examineInstallation(config: Config, invocation: Invocation): Promise<Check[]> {
  if (!(await isInstalled(config))) {
    const found = `no installation in ${describeLocation(config)} yet; the first start or "${formatCommand("init")}" creates it`;
    return [ok("storage", found), examineKeyAlone(config, false), ...(await examineWithout(config))];
  }
  if (await needsMigration(config)) {
    // Opening it would migrate it, maybe below a server of the older version.
    const old = warning("storage", "the database is of an older version of Tessera", "Back it up; the next start migrates it.");
    return [old, examineKeyAlone(config, true), ...(await examineWithout(config))];
  }
  return withDeps(config, invocation, async (deps) => [
    await attempt("storage", () => examineStorage(deps)),
    await attempt("search index", () => examineIndex(deps)),
    await attempt("secret key", () => examineKey(config, deps.store)),
    ...(await examineServices(config, deps)),
    await attempt("backups", () => examineBackups(deps)),
  ]);
}

/** Examines everything but the storage and its backups, on an empty database that is removed afterwards. */
async function examineWithout(config: Config): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-doctor-"));
  try {
    return await withDeps({ ...config, databaseUrl: "", dataDir: folder }, { options: {} }, (deps) => examineServices(config, deps));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const examineServices = async (config: Config, deps: Deps): Promise<Check[]> => [
  await attempt("network guard", () => examineGuard(deps)),
  await attempt("log-in", () => examineAddress(config)),
  await attempt("model", () => examineModel(deps)),
  await attempt("sentence vectors", () => examineEmbedder(deps)),
  await attempt("token counter", () => examineTokenCounter(deps)),
];

async function withDeps<T>(config: Config, invocation: Pick<Invocation, "options">, work: (deps: Deps) => Promise<T>): Promise<T> {
  const appContext = await openAppContext(config, { isExamination: true });
  try {
    return await work((await withBusiness(appContext, invocation)).deps);
  } finally {
    await appContext.close();
  }
}
