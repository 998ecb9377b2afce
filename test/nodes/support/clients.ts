import { call } from "../../e2e/support/process.ts";
import { pause } from "../../e2e/support/servers.ts";
import type { Access } from "./nodes.ts";

/** A creation as its client knows it: the id after the 200 response. */
export type Creation = { readonly title: string; readonly idempotencyKey: string; id?: string };

export type Clients = {
  readonly creations: readonly Creation[];
  /** The number of responses per status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Violations: responses other than 200 and 503 with Retry-After, or no response. */
  readonly failures: readonly string[];
  /** When each client got its last 503 and the first 200 after it; undefined until then. */
  outages(): { readonly last: number; readonly back: number | undefined }[];
  /** Waits for the pending requests. */
  stop(): Promise<void>;
};

const BETWEEN_MS = 10;

/** Creates a tile once, also when called repeatedly. */
export const create = (url: string, { key, boardId }: Access, { title, idempotencyKey }: Creation) =>
  call(url, key, "POST", `/api/board/${boardId}/tiles`, { title, content: `${title}, in full` }, { "idempotency-key": idempotencyKey });

/** Starts clients of one node, some of which create tiles and some of which read the board, until they are stopped. */
export function startClients(url: string, access: Access, creators: number, readers: number): Clients {
  const creations: Creation[] = [];
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  const outages = new Map<number, { last: number; back: number | undefined }>();
  let isOver = false;

  const note = (client: number, { status, headers, text }: { status: number; headers: Headers; text: string }): void => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const outage = outages.get(client);
    if (status === 503) outages.set(client, { last: performance.now(), back: undefined });
    else if (outage !== undefined) outage.back ??= performance.now();
    if (status !== 200 && !(status === 503 && Number(headers.get("retry-after")) >= 1)) failures.push(`${status} ${text}`);
  };

  async function repeat(client: number, work: (n: number) => ReturnType<typeof call>): Promise<void> {
    for (let n = 0; !isOver; n++) {
      try {
        note(client, await work(n));
      } catch (error) {
        failures.push(String(error));
      }
      await pause(BETWEEN_MS);
    }
  }

  const creating = Array.from({ length: creators }, (_, client) =>
    repeat(client, async (n) => {
      const creation: Creation = { title: `Note ${n} of client ${client}`, idempotencyKey: `${client}-${n}` };
      creations.push(creation);
      const answer = await create(url, access, creation);
      if (answer.status === 200) creation.id = answer.json.tile.id;
      return answer;
    }),
  );
  const reading = Array.from({ length: readers }, (_, n) =>
    repeat(creators + n, () => call(url, access.key, "GET", `/api/board/${access.boardId}/tiles?limit=20&order=desc`)),
  );
  return {
    creations,
    statuses,
    failures,
    outages: () => [...outages.values()],
    async stop() {
      isOver = true;
      await Promise.all([...creating, ...reading]);
    },
  };
}
