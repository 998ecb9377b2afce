import { type Config, ConfigError, SETTINGS, readConfig } from "#config";
import { messageOf } from "#domain/error.ts";
import { type Command, type Invocation, print, withData } from "../command.ts";

type Check = { readonly name: string; readonly ok: boolean; readonly message: string };

/** Addresses that the guard must refuse whatever is allowed. */
const INWARD = ["http://169.254.169.254/", "http://[::ffff:169.254.169.254]/", "http://2852039166/"];

export const DOCTOR: Command = {
  name: "doctor",
  summary: "Checks settings, storage, model and network guard; exit code 1 when something is wrong.",
  async run(invocation) {
    const checks = await examine(invocation);
    const isWell = checks.every(({ ok }) => ok);
    const settings = describeSettings();
    print(invocation, { ok: isWell, checks, settings }, [
      ...settings.map(({ name, value, meaning }) => `${name.padEnd(28)} ${value.padEnd(20)} ${meaning}`),
      "",
      ...checks.map(({ name, ok, message }) => `${ok ? "ok   " : "WRONG"} ${name}: ${message}`),
    ]);
    return isWell ? 0 : 1;
  },
};

async function examine(invocation: Invocation): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return [{ name: "settings", ok: false, message: messageOf(error) }];
  }
  const checks: Check[] = [{ name: "settings", ok: true, message: `data in ${placeOf(config)}` }];
  try {
    await withData(invocation, async ({ deps }) => {
      await deps.store.ping();
      const counts = await deps.store.tiles.counts();
      checks.push({
        name: "storage",
        ok: true,
        message: `reachable and up to date; ${counts.processing} tiles processing, ${counts.indexPending} waiting for the index`,
      });
      const open = INWARD.filter((address) => deps.links.read(address).ok || deps.links.readWebhook(address).ok);
      checks.push(
        open.length === 0
          ? { name: "network guard", ok: true, message: "inward addresses are refused" }
          : {
              name: "network guard",
              ok: false,
              message: `${open.join(", ")} would be fetched. Remove them from FETCH_ALLOW or WEBHOOK_ALLOW.`,
            },
      );
      checks.push({ name: "model", ok: true, message: "none is configured; answers are extractive" });
    });
  } catch (error) {
    checks.push({ name: error instanceof ConfigError ? "settings" : "storage", ok: false, message: messageOf(error) });
  }
  return checks;
}

/** Where everything is stored, without a password. */
function placeOf({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl === "") return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}, database ${decodeURIComponent(pathname.slice(1)) || "of the user's name"}`;
}

/** The settings in force; what is secret is only said to be set. */
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
