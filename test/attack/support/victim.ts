import { readFileSync } from "node:fs";
import { newStorage } from "../../support/engine.ts";
import { call, type Environment, makeFolder, type ServerProcess, startServer, tesseraJson } from "../../e2e/support/process.ts";

/** A business on the attacked server, with an unscoped key that may write. */
export type Tenant = { readonly businessId: string; readonly boardId: string; readonly key: string };

/** The server that is attacked, in a process of its own, with a business that attacks it and another one. */
export type Victim = {
  readonly server: ServerProcess;
  readonly environment: Environment;
  readonly attacker: Tenant;
  readonly other: Tenant;
  /** Creates another key of the attacker. */
  newKey(): Promise<string>;
  /** Resident memory of the process, in MiB: now, and the maximum since its start. */
  memoryMiB(): { readonly now: number; readonly peak: number };
  stop(): Promise<void>;
};

/** The memory that a server may take under any attack, in MiB. */
export const MAX_MEMORY_MIB = 600;

/** Starts a server with rate limits off, since an attacker may have many keys. `launcher` is a program that becomes it, such as prlimit. */
export async function startVictim(given: Environment = {}, launcher: readonly string[] = []): Promise<Victim> {
  const folder = makeFolder();
  const storage = await newStorage();
  const environment = { ...storage.environment, DATA_DIR: folder.dataDir, LOG_LEVEL: "error", ...given };
  const server = await startServer(environment, "src/main.ts", launcher);
  const createTenant = async (businessId: string): Promise<Tenant> => {
    const [{ id: boardId }] = (await tesseraJson(environment, "board", "list", "--business", businessId)).boards;
    const { key } = await tesseraJson(environment, "key", "create", "--name", "test", "--business", businessId);
    return { businessId, boardId, key };
  };
  const [first] = (await tesseraJson(environment, "business", "list")).businesses;
  const second = (await tesseraJson(environment, "business", "create", "Other")).business;
  return {
    server,
    environment,
    attacker: await createTenant(first.id),
    other: await createTenant(second.id),
    newKey: async () => (await tesseraJson(environment, "key", "create", "--name", "more", "--business", first.id)).key,
    memoryMiB: () => readMemory(server.pid),
    async stop() {
      await server.kill("SIGKILL");
      await storage.drop();
      folder.remove();
    },
  };
}

/** Reads the resident memory of a process from /proc, in MiB. */
function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? NaN) / 1_024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Sends a request of a tenant. */
export const callAs = ({ server }: Victim, { key }: Tenant, method: string, path: string, body?: unknown) =>
  call(server.url, key, method, path, body);

/**
 * Calls `request` one after the other until `attack` ends, and at least `min` times. Returns the times of the calls in milliseconds, in
 * ascending order. Throws if a response is not 200.
 */
export async function timeDuring(
  attack: Promise<unknown>,
  request: () => Promise<{ readonly status: number; readonly text: string }>,
  min = 20,
): Promise<number[]> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  attack.then(end, end);
  const times: number[] = [];
  while (!isOver || times.length < min) {
    const began = performance.now();
    const { status, text } = await request();
    if (status !== 200) throw new Error(`Another caller got ${status} during the attack: ${text.slice(0, 200)}`);
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times.sort((a, b) => a - b);
}
