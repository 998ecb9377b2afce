import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Config, readConfig } from "#config";
import { openAppContext } from "#composition/app-context.ts";
import { describeLocation, isInstalled } from "#composition/start/installation.ts";
import { formatLocalUrl } from "#composition/start/port.ts";
import { formatCommand, formatStartCommand } from "#runtime/process/program-name.ts";
import { type Command, print } from "../../command.ts";

export const INIT: Command = {
  name: "init",
  summary: "Prepares a new installation, and says what to do next.",
  details:
    "Creates the database, the secret key, the first business and its default board, as the first start does. Asks nothing. Changes nothing if there is an installation already.",
  examples: ["init", "DATA_DIR=/var/lib/tessera {program} init"],
  installation: "created",
  async run(invocation) {
    const config = readConfig(process.env);
    const isThere = await isInstalled(config);
    if (!isThere) await (await openAppContext(config)).close();
    const place = describeLocation(config);
    const next = describeNext(config);
    const state = isThere
      ? `There is a Tessera installation in ${place} already. Nothing was changed.`
      : `Tessera is installed in ${place}.`;
    const width = Math.max(...next.map(({ task }) => task.length));
    print(invocation, { init: { created: !isThere, location: place, next } }, [
      state,
      "",
      "Next:",
      ...next.map(({ task, how }) => `  ${task.padEnd(width)}  ${how}`),
    ]);
  },
};

function describeNext(config: Config): readonly { readonly task: string; readonly how: string }[] {
  const address = config.baseUrl === "" ? localAddress(config) : config.baseUrl;
  return [
    { task: "Start the server", how: formatStartCommand() },
    { task: "Open the page", how: address },
    { task: "Create the owner account", how: "Open the one-time link that the start prints, while there is no owner." },
    { task: "Create an API key", how: formatCommand('key create --name "My first key"') },
    { task: "Check the settings", how: formatCommand("doctor") },
    { task: "Read the documentation", how: `${findGuide()}; the API reference is at ${address}/docs` },
  ];
}

/** Port 0 is chosen at the start, so it can't be named before. */
const localAddress = ({ host, port }: Config): string => formatLocalUrl(host, port === 0 ? "PORT, which the start prints" : port);

/** Returns the guide of a clone, or the README of the package. */
function findGuide(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  const guide = join(folder, "docs/start.md");
  return existsSync(guide) ? guide : join(folder, "README.md");
}
