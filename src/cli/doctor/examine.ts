import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, ConfigError, readConfig } from "#config";
import { getErrorMessage } from "#domain/core/error.ts";
import { openAppContext } from "#composition/app-context.ts";
import { describeLocation, isInstalled } from "#composition/start/installation.ts";
import { formatCommand } from "#runtime/program-name.ts";
import type { Invocation } from "../command.ts";
import { withBusiness } from "../with-data.ts";
import { type Check, ok, problem, toProblem } from "./check.ts";
import { examineClock, examineDataDir, examineDisk, examineNode, examinePage, examinePort } from "./machine.ts";
import { examineAddress, examineBackups, examineEmbedder, examineGuard, examineModel, examineStorage } from "./services.ts";

/** Runs every check that the settings allow. Creates no installation. */
export async function examine(invocation: Invocation): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return [examineNode(), problem("settings", getErrorMessage(error))];
  }
  const location = describeLocation(config);
  const dataDir = config.databaseUrl === "" ? examineDataDir(config) : ok("data directory", "not used, with PostgreSQL");
  const machine = [
    examineNode(),
    ok("settings", `data in ${location}`),
    dataDir,
    ...(dataDir.state === "problem" ? [] : [examineDisk(config), examineClock(config)]),
    await examinePort(config),
    examinePage(config),
  ];
  try {
    const isReadable = dataDir.state !== "problem";
    if (isReadable && (await isInstalled(config))) return [...machine, ...(await examineServices(config, invocation, examineStorage))];
    const none = ok("storage", `no installation in ${location} yet; the first start or "${formatCommand("init")}" creates it`);
    return [...machine, ...(await examineWithout(config, invocation, isReadable ? [none] : []))];
  } catch (error) {
    return [...machine, error instanceof ConfigError ? problem("settings", getErrorMessage(error)) : toProblem("storage", error)];
  }
}

/** Examines everything but the storage, on an empty database that is removed afterwards. */
async function examineWithout(config: Config, invocation: Invocation, storage: readonly Check[]): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-doctor-"));
  try {
    return [...storage, ...(await examineServices({ ...config, databaseUrl: "", dataDir: folder }, invocation))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function examineServices(config: Config, invocation: Invocation, examineFirst?: typeof examineStorage): Promise<Check[]> {
  const appContext = await openAppContext(config);
  try {
    const { deps } = await withBusiness(appContext, invocation);
    return [
      ...(examineFirst === undefined ? [] : [await examineFirst(deps)]),
      examineGuard(deps),
      examineAddress(config),
      await examineBackups(deps),
      await examineModel(deps),
      await examineEmbedder(deps),
    ];
  } finally {
    await appContext.close();
  }
}
