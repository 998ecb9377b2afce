import { type Config, readConfig } from "#config";
import type { Actor } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { type AppContext, openAppContext } from "#composition/app-context.ts";
import { describeLocation, isInstalled, needsMigration } from "#composition/start/installation.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import type { Invocation } from "./command.ts";

export type Opened = AppContext & { readonly business: Business; readonly actor: Actor };

/** Opens the installation of the settings, for the given or the first business, and closes it after `work`. */
export async function withData<T>(invocation: Invocation, work: (opened: Opened) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const announce = await requireInstallation(invocation, config);
  await requireCurrent(config);
  const appContext = await openAppContext(config);
  try {
    announce();
    const problem = await appContext.secretKey.problem();
    if (problem !== null) process.stderr.write(`Warning: ${problem.found} ${problem.fix}\n`);
    const result = await work(await withBusiness(appContext, invocation));
    // The command may have replaced the last secret that needed another key.
    await appContext.secretKey.problem();
    return result;
  } finally {
    await appContext.close();
  }
}

/** Throws when the database is of an earlier version, so that no command upgrades it as a side effect. */
export async function requireCurrent(config: Pick<Config, "dataDir" | "databaseUrl">): Promise<void> {
  if (await needsMigration(config))
    throw new Error(
      `The database in ${describeLocation(config)} is of an earlier version of Tessera. Back it up; then start the server or run "${formatCommand("migrate")}", which upgrade it.`,
    );
}

/** Chooses the business of the option `--business`, by default the first one. */
export async function withBusiness(appContext: AppContext, invocation: Pick<Invocation, "options">): Promise<Opened> {
  const businesses = await appContext.deps.store.boards.businesses();
  const wanted = invocation.options.business;
  const business = wanted === undefined ? businesses[0] : businesses.find(({ id }) => id === wanted);
  if (business === undefined) throw new Error(`There is no business ${String(wanted)}. "${formatCommand("business list")}" shows them.`);
  return { ...appContext, business, actor: { kind: "operator", businessId: business.id } };
}

/**
 * Throws when the command needs an installation and there is none. Returns a function that says on stderr that one was created, if it was.
 */
export async function requireInstallation(
  { installation }: Pick<Invocation, "installation">,
  config: Pick<Config, "dataDir" | "databaseUrl">,
): Promise<() => void> {
  if (await isInstalled(config)) return () => {};
  const place = describeLocation(config);
  if (installation === "required") {
    const setting = config.databaseUrl === "" ? "DATA_DIR to the folder" : "DATABASE_URL to the database";
    throw new Error(
      `There is no Tessera installation in ${place}: create one with "${formatCommand("init")}", or set ${setting} of yours.`,
    );
  }
  return () => void process.stderr.write(`Created a new Tessera installation in ${place}.\n`);
}
