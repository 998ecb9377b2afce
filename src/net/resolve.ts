import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";

/** Resolves a name to all its addresses. Rejects with an error with a `code` such as ENOTFOUND. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export type ResolverOptions = {
  /** The name servers, those of the system by default. */
  readonly servers?: readonly string[];
  /** Milliseconds until a question is repeated, and the number of questions. */
  readonly timeoutMs?: number;
  readonly tries?: number;
};

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const HOSTS_FILE = "/etc/hosts";

/**
 * Creates the function that resolves names. It asks the name servers itself: the system's function occupies one of two threads of the
 * process for each name, so that a few names with slow servers would delay all others. The system is asked about names in the hosts file,
 * and about names without an answer, which it may know in other ways.
 */
export function createResolve({ servers, timeoutMs = TIMEOUT_MS, tries = TRIES }: ResolverOptions = {}): Resolve {
  return async (host) => {
    if (await isInHostsFile(host)) return askSystem(host);
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers !== undefined) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    return addresses.length > 0 ? addresses : askSystem(host);
  };
}

const askSystem: Resolve = async (host) => {
  const answers = await lookup(host, { all: true, order: "verbatim" });
  return answers.map(({ address }) => address);
};

/** Whether the hosts file names this host. It comes before the name servers. */
async function isInHostsFile(host: string): Promise<boolean> {
  // Systems without this file have no such names.
  const text = await readFile(HOSTS_FILE, "utf8").catch(() => "");
  return text.split("\n").some((line) => (line.split("#", 1)[0] ?? "").trim().toLowerCase().split(/\s+/).includes(host.toLowerCase(), 1));
}
