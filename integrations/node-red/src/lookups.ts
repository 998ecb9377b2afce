import type { ServerResponse } from "node:http";
import type { CallOptions, Client } from "@tessera-board/sdk";
import type { NodeConfig, Red, Request } from "./red.ts";
import { connectTo, readText, requireServer } from "./server.ts";

/** A person waits for the answer. */
const CALL: CallOptions = { timeoutMs: 15_000, maxRetries: 0 };

type Lookup = (client: Client, body: NodeConfig) => Promise<unknown>;

const LOOKUPS: Readonly<Record<string, Lookup>> = {
  connection: (client) => client.me(CALL),
  boards: async (client) => (await client.boards.list(CALL)).map(({ id, name }) => ({ id, name })),
  zones: async (client, body) => (await client.zones.list(readText(body, "boardId"), CALL)).map(({ id, name }) => ({ id, name })),
};

/**
 * Adds calls to Node-RED's admin API by which edit dialogs test a connection and list boards and zones. They need the permission to write,
 * since they make this machine call the address that the dialog has.
 */
export function registerLookups(red: Red): void {
  for (const [name, lookup] of Object.entries(LOOKUPS)) {
    red.httpAdmin.post(`/tessera/${name}`, red.auth.needsPermission("tessera.write"), (request, response) => {
      void answer(red, lookup, request, response);
    });
  }
}

async function answer(red: Red, lookup: Lookup, { body }: Request, response: ServerResponse): Promise<void> {
  try {
    const fields = (body ?? {}) as NodeConfig;
    send(response, 200, await lookup(connect(red, fields), fields));
  } catch (error) {
    send(response, 400, { error: (error as Error).message });
  }
}

/** A key that is not deployed yet comes with its address. A stored one is only ever sent to the stored address. */
function connect(red: Red, fields: NodeConfig): Client {
  const apiKey = readText(fields, "apiKey");
  return apiKey === "" ? requireServer(red, fields).connect() : connectTo(red, readText(fields, "url"), apiKey);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
