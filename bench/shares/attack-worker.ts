import { Agent, request } from "node:http";

/** Requests that one caller sends over and over on many connections. */
export type Attack = {
  readonly port: number;
  readonly key: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** A body of this many bytes that fails while it is parsed, or the body itself. */
  readonly body?: string | { readonly brokenBytes: number };
  readonly connections: number;
  readonly seconds: number;
};

/** The number of responses per status; 0 counts closed connections. */
export type AttackResult = { readonly statuses: Readonly<Record<string, number>> };

/** Runs one attack in a separate process, so that its client takes no processor time of the measured calls. */
export async function serve(attack: Attack): Promise<AttackResult> {
  const { connections, seconds } = attack;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const body = buildBody(attack.body);
  const statuses: Record<string, number> = {};
  const end = performance.now() + seconds * 1_000;
  const drive = async (): Promise<void> => {
    while (performance.now() < end) {
      const status = await send(attack, agent, body);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, drive));
  agent.destroy();
  return { statuses };
}

function buildBody(body: Attack["body"]): Buffer | undefined {
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === "string" ? body : `{"name":"${"x".repeat(body.brokenBytes)}`);
}

function send({ port, key, method, path }: Attack, agent: Agent, body: Buffer | undefined): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      "X-API-Key": key,
      "Cache-Control": "no-cache",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    };
    const call = request({ port, host: "127.0.0.1", agent, method, path, headers }, (response) => {
      response.on("end", () => resolve(response.statusCode ?? 0)).on("error", () => resolve(0));
      response.resume();
    });
    call.on("error", () => resolve(0));
    call.end(body);
  });
}
