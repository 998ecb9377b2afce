import { startWorker } from "../processes/worker-process.ts";
import type { Target } from "../load/load-job.ts";
import type { RecordedResponse } from "./baseline-worker.ts";
import type { BenchContext } from "../context.ts";
import type { Fixture } from "./fixture.ts";

export type BaselineServer = { readonly port: number; readonly pid: number };

/** Headers that node:http adds. */
const AUTOMATIC_HEADERS = /^(date|connection|keep-alive)$/i;

/** Starts a plain HTTP server that repeats the recorded responses of the service. */
export async function startBaseline(context: BenchContext, fixture: Fixture): Promise<BaselineServer> {
  const worker = startWorker<{ responses: RecordedResponse[] }, { port: number }>(context, "baseline");
  const responses: RecordedResponse[] = [];
  for (const target of [fixture.zones, fixture.tiles, fixture.create, ...fixture.mixed])
    responses.push(await recordResponse(fixture.service.port, target));
  const { port } = await worker.request({ responses });
  return { port, pid: worker.pid };
}

async function recordResponse(port: number, { method, path, key, bodies }: Target): Promise<RecordedResponse> {
  const body = bodies?.[0];
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    // The load requests no compression either; a compressed response would be recorded with the wrong length.
    headers: { "x-api-key": key, "accept-encoding": "identity", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body }),
  });
  if (response.status !== 200) throw new Error(`${method} ${path} returned status ${response.status} instead of 200.`);
  const headers = [...response.headers].filter(([name]) => !AUTOMATIC_HEADERS.test(name)).flat();
  return { method, path: path.split("?", 1)[0] as string, headers, body: Buffer.from(await response.arrayBuffer()).toString("base64") };
}
