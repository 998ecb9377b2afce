import type { Config } from "#config";
import { readHandleLimit } from "#runtime/files/handles.ts";

/** Each connection takes about 12 KB, and 27 KB while long headers arrive: 270 MB if all of them send such headers. */
const MAX_CONNECTIONS = 10_000;
/** File handles of the program, the database file and threads, and of 64 concurrent deliveries. */
const OWN_HANDLES = 64;
const DELIVERY_HANDLES = 64;
/** Connections of callers below which the limit counts as low. */
const MIN_GOOD_CONNECTIONS = 256;
/** The least share of all handles that callers get, however low the limit is. */
const MIN_SHARE = 1 / 4;

export type ConnectionLimit = {
  /** How many connections of callers are accepted at once. */
  readonly connections: number;
  /** One sentence with what to do when the process may open few files; null if the limit is fine. */
  readonly warning: string | null;
};

/** Divides the file handles of this process between callers and its own work: links, deliveries, threads and the database. */
export function divideHandles(
  { ingestConcurrency, databaseConnections, databaseUrl }: Pick<Config, "ingestConcurrency" | "databaseConnections" | "databaseUrl">,
  limit: number | null = readHandleLimit(),
): ConnectionLimit {
  if (limit === null) return { connections: MAX_CONNECTIONS, warning: null };
  // Slow links do not take a place of INGEST_CONCURRENCY, up to the same number.
  const reserved = OWN_HANDLES + DELIVERY_HANDLES + 2 * ingestConcurrency + (databaseUrl === "" ? 0 : databaseConnections);
  const connections = Math.min(MAX_CONNECTIONS, Math.max(limit - reserved, Math.floor(limit * MIN_SHARE)));
  const needed = reserved + MIN_GOOD_CONNECTIONS;
  const warning =
    limit >= needed
      ? null
      : `This process may open ${limit} files at once, so that it accepts ${connections} connections, and links may have to wait. Raise the limit to ${needed} or more (ulimit -n, LimitNOFILE in systemd, ulimits in Compose).`;
  return { connections, warning };
}
