import { startChild } from "../processes/worker-process.ts";
import type { Target } from "../load/load-job.ts";
import type { Answer } from "./baseline-worker.ts";
import type { Scene } from "../context.ts";
import type { Stage } from "./fixture.ts";

export type Peer = { readonly port: number; readonly pid: number };

/** What node:http adds by itself. */
const OWN = /^(date|connection|keep-alive)$/i;

/** Starts the plain server with the very answers the service gives. */
export async function startPeer(scene: Scene, stage: Stage): Promise<Peer> {
  const helper = startChild<{ answers: Answer[] }, { port: number }>(scene, "plain");
  const answers: Answer[] = [];
  for (const target of [stage.zones, stage.tiles, stage.create, ...stage.mixed]) answers.push(await record(stage.service.port, target));
  const { port } = await helper.ask({ answers });
  return { port, pid: helper.pid };
}

async function record(port: number, { method, path, key, bodies }: Target): Promise<Answer> {
  const body = bodies?.[0];
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    // As the load asks for it: a compressed answer would be recorded with the length of its compressed form.
    headers: { "x-api-key": key, "accept-encoding": "identity", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status !== 200) throw new Error(`${method} ${path} was answered with ${answer.status}.`);
  const headers = [...answer.headers].filter(([name]) => !OWN.test(name)).flat();
  return { method, path: path.split("?", 1)[0] as string, headers, body: Buffer.from(await answer.arrayBuffer()).toString("base64") };
}
