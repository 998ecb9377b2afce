import { basename } from "node:path";

/** The command of the server package. */
const PACKAGED = "tessera-server";
const IN_CLONE = "npm run -s tessera --";

/**
 * Returns how the command line is called where this process runs: TESSERA_COMMAND if it is set, `tessera-server` if the package was
 * started, `npm run -s tessera --` in a clone, otherwise `tessera`.
 */
export function getProgramName(): string {
  const { TESSERA_COMMAND: given = "", npm_package_name: npmPackage, npm_lifecycle_event: script = "" } = process.env;
  if (given.trim() !== "") return given.trim();
  if (basename(process.argv[1] ?? "").replace(/\.mjs$/, "") === PACKAGED) return PACKAGED;
  // A script of another project may call the package, so its name is compared too.
  return npmPackage === "tessera" && ["start", "tessera"].includes(script) ? IN_CLONE : "tessera";
}

/** Returns a complete command, as `tessera-server key list` for "key list". */
export const formatCommand = (words: string): string => `${getProgramName()} ${words}`;

/** Returns the command that starts the server. In a clone it also installs and builds what is missing. */
export const formatStartCommand = (): string => (getProgramName() === IN_CLONE ? "npm start" : formatCommand("start"));
