import { existsSync, lstatSync, mkdtempSync, rmdirSync, statSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "#config";
import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { divideHandles } from "#composition/start/connection-limit.ts";
import { describeListenFailure } from "#composition/start/listen-failure.ts";
import { withDataDirErrors } from "#composition/start/installation.ts";
import { readBuiltPage } from "#composition/start/page.ts";
import { formatLocalUrl, probePort } from "#composition/start/port.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { type Check, ok, problem, toFailedCheck, warning } from "./check.ts";

/** Major and minor number. */
const MIN_NODE = [22, 19] as const;
/** The version that Tessera is developed and tested with. */
const RECOMMENDED_NODE = 24;

export function examineNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]))
    return problem("Node", `version ${version}`, `Install Node ${RECOMMENDED_NODE}.`);
  return ok("Node", `version ${version}`);
}

/** Whether the data directory exists, or can be created, and can be written. Leaves nothing behind. */
export function examineDataDir({ dataDir }: Config): Check {
  const name = "data directory";
  try {
    const nearest = findExistingParent(dataDir);
    withDataDirErrors(dataDir, () => rmdirSync(mkdtempSync(join(nearest, ".tessera-doctor-"))));
    return ok(name, nearest === dataDir ? `${dataDir} can be written` : `${dataDir} does not exist yet; the first start creates it`);
  } catch (error) {
    return toFailedCheck(name, error);
  }
}

/** Whether BACKUP_DIR exists, or can be created, and can be written. Leaves nothing behind. */
export function examineBackupDir({ backupDir }: Config): Check {
  const name = "backup directory";
  try {
    rmdirSync(mkdtempSync(join(findExistingParent(backupDir), ".tessera-doctor-")));
    return ok(name, `${backupDir} can be written`);
  } catch (error) {
    return problem(
      name,
      `${backupDir} can't be written: ${getErrorMessage(error)}.`,
      "Set BACKUP_DIR to a folder where the server's user may write.",
    );
  }
}

/** A link that leads to nothing exists too, as no folder can be created in its place. */
const findExistingParent = (folder: string): string =>
  existsSync(folder) || isLink(folder) || dirname(folder) === folder ? folder : findExistingParent(dirname(folder));

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

const MIB = 1_048_576;
const MIN_FREE_MIB = 100;
const LOW_FREE_MIB = 1_024;
/** Above this, the exact number tells nothing. */
const AMPLE_FREE_MIB = 10_240;

/** The free space for this user where the data directory is. */
export function examineDisk({ dataDir }: Config): Check {
  const name = "disk";
  const { bavail, bsize } = statfsSync(findExistingParent(dataDir));
  const free = Math.floor((bavail * bsize) / MIB);
  const found =
    free >= AMPLE_FREE_MIB ? "more than 10 GiB free" : `${free >= LOW_FREE_MIB ? `${Math.floor(free / 1_024)} GiB` : `${free} MiB`} free`;
  const fix = "Free some space on the disk of DATA_DIR, or move DATA_DIR to another disk.";
  if (free < MIN_FREE_MIB) return problem(name, found, fix);
  return free < LOW_FREE_MIB ? warning(name, found, fix) : ok(name, found);
}

const EARLIEST = Date.UTC(2026, 0, 1);
const MAX_AHEAD_MS = 60_000;

/** Whether the clock can be right: it is after the release, and not before the last write to the database. */
export function examineClock({ dataDir, databaseUrl }: Config, now = Date.now()): Check {
  const name = "clock";
  const fix = "Set the clock of this machine, with NTP if possible; schedules, expiry dates and log-ins depend on it.";
  const found = new Date(now).toISOString();
  if (now < EARLIEST) return problem(name, `${found} is before the release of this version`, fix);
  const written = databaseUrl === "" ? statSync(databaseFile(dataDir), { throwIfNoEntry: false })?.mtimeMs : undefined;
  if (written !== undefined && written - now > MAX_AHEAD_MS)
    return warning(name, `${found} is before the last write to the database, ${new Date(written).toISOString()}`, fix);
  return ok(name, "after the release of this version, and after the last write to the database");
}

/** How many files and connections a server may have open at once. */
export function examineHandles(config: Config): Check {
  const name = "file handles";
  const { connections, warning: low } = divideHandles(config);
  if (low === null) return ok(name, `enough for ${connections} connections at once`);
  const [found = "", fix = ""] = low.split(/(?<=\.) (?=Raise)/);
  return warning(name, found, fix);
}

export function examinePage({ role }: Config): Check {
  const name = "web page";
  if (role === "worker") return ok(name, "not needed by a worker (ROLE)");
  try {
    if (readBuiltPage() !== null) return ok(name, "built");
    return warning(name, "not built; the API works without it", 'Build it with "npm run build:web".');
  } catch (error) {
    return toFailedCheck(name, error);
  }
}

/** Whether the server can listen on its port, or does so already. */
export async function examinePort(config: Config): Promise<Check> {
  const { host, port } = config;
  const name = "port";
  if (port === 0) return ok(name, "the start picks a free one (PORT=0)");
  const error = await probePort(host, port);
  if (error === null) return ok(name, `${port} of ${host} is free`);
  if (getErrorCode(error) === "EADDRINUSE" && (await isTessera(host, port)))
    return ok(name, `a Tessera server listens on ${port} of ${host}`);
  return toFailedCheck(name, new Error(describeListenFailure(error, config) ?? error.message));
}

const ASK_TIMEOUT_MS = 3_000;

/** Whether the program that listens there has the OpenAPI document of Tessera. */
async function isTessera(host: string, port: number): Promise<boolean> {
  try {
    const response = await fetch(`${formatLocalUrl(host, port)}/openapi.json`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
    const { info } = (await response.json()) as { readonly info?: { readonly title?: unknown } };
    return info?.title === "Tessera";
  } catch {
    return false;
  }
}
