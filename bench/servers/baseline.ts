import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { startWorker } from "../processes/worker-process.ts";
import type { Target } from "../load/load-job.ts";
import type { RecordedResponse } from "./baseline-worker.ts";
import type { BenchContext } from "../context.ts";
import type { Fixture } from "./fixture.ts";

export type BaselineServer = { readonly port: number; readonly pid: number };

/** What browsers and most HTTP clients send. */
export const ACCEPT_ENCODING = "gzip, br";
/** Headers that node:http adds. */
const AUTOMATIC_HEADERS = /^(date|connection|keep-alive)$/i;

/** Starts a plain HTTP server that repeats the recorded responses of the service. */
export async function startBaseline(context: BenchContext, fixture: Fixture): Promise<BaselineServer> {
  const worker = startWorker<{ responses: RecordedResponse[] }, { port: number }>(context, "baseline");
  const responses: RecordedResponse[] = [];
  const { service, zones, tiles, create, mixed } = fixture;
  const compressed = [zones, tiles].map((target) => ({ ...target, acceptEncoding: ACCEPT_ENCODING }));
  for (const target of [zones, tiles, create, ...mixed, ...compressed]) responses.push(await recordResponse(service.port, target));
  const { port } = await worker.request({ responses });
  return { port, pid: worker.pid };
}

/** Records the bytes as they were sent. `fetch` would decompress them. */
async function recordResponse(port: number, { method, path, key, acceptEncoding, bodies }: Target): Promise<RecordedResponse> {
  const body = bodies?.[0];
  const call = request({
    host: "127.0.0.1",
    port,
    method,
    path,
    headers: {
      "X-API-Key": key,
      ...(acceptEncoding === undefined ? {} : { "Accept-Encoding": acceptEncoding }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
  });
  call.end(body);
  const [response] = (await once(call, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${method} ${path} returned status ${response.statusCode} instead of 200.`);
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    AUTOMATIC_HEADERS.test(name) ? [] : values.flatMap((value) => [name, value]),
  );
  return { method, path: path.split("?", 1)[0] as string, acceptEncoding, headers, body: (await buffer(response)).toString("base64") };
}
