import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { IngestError } from "#domain/content/job.ts";
import { createFetcher } from "#net/fetcher.ts";
import { articlePage } from "../../support/servers/origin.ts";
import { CERTIFICATE, KEY } from "../../net/certificate.ts";
import { randomResponse } from "../support/http-bytes.ts";
import { mutateBytes } from "../support/mutate.ts";
import type { Random } from "../support/random.ts";
import { expectKind, type Target } from "../support/target.ts";

const BODY = Buffer.from(articlePage());
const FETCH_MS = 1_500;

/** The fault of a connection: an invalid response inside TLS, a corrupt handshake or record, or no TLS at all. */
type Plan = {
  readonly kind: "inside" | "between" | "none";
  readonly answer: Uint8Array;
  /** The number of server bytes that pass before the fault. */
  readonly after: number;
  readonly breakage: "cut" | "reset" | "flip";
};

const createPlan = (random: Random): Plan => ({
  kind: random.pick(["inside", "between", "none"]),
  answer: randomResponse(BODY, random),
  after: random.int(4_000),
  breakage: random.pick(["cut", "reset", "flip"]),
});

const listen = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

/** A proxy that forwards bytes of a TLS server and corrupts them as planned. */
function forward(client: Socket, port: number, plan: () => Plan, random: () => Random): void {
  const { after, breakage } = plan();
  const server = connect(port, "127.0.0.1");
  let passed = 0;
  for (const socket of [client, server]) socket.on("error", () => {});
  client.on("close", () => server.destroy());
  server.on("close", () => client.end());
  client.pipe(server);
  server.on("data", (bytes: Buffer) => {
    passed += bytes.length;
    if (passed <= after) return void client.write(bytes);
    if (breakage === "flip") return void client.write(mutateBytes(bytes, random()));
    client.write(bytes.subarray(0, Math.max(0, bytes.length - (passed - after))));
    if (breakage === "cut") client.end();
    else client.resetAndDestroy();
    server.destroy();
  });
}

/** TLS that fails at any byte of the handshake or later. */
export const tls: Target = {
  name: "tls",
  testRounds: 120,
  async open() {
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    const state = { plan: undefined as Plan | undefined, random: undefined as Random | undefined };
    const plan = (): Plan => state.plan as Plan;
    const random = (): Random => state.random as Random;
    const inner = createTlsServer({ key: KEY, cert: CERTIFICATE }, (socket) => {
      socket.on("error", () => {});
      socket.once("data", () => void socket.end(plan().kind === "inside" ? plan().answer : `HTTP/1.1 200 OK\r\n\r\n${BODY.toString()}`));
    });
    inner.on("tlsClientError", () => {});
    const innerPort = await listen(inner);
    const sockets = new Set<Socket>();
    const outer = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
      if (plan().kind === "none") socket.once("data", () => void socket.end(plan().answer));
      else if (plan().kind === "between") forward(socket, innerPort, plan, random);
      else socket.pipe(connect(innerPort, "127.0.0.1").on("error", () => {})).pipe(socket);
    });
    const port = await listen(outer);
    const resolve = async (): Promise<readonly string[]> => ["127.0.0.1"];
    const fetcher = createFetcher({ allow: new Set([`tls.test:${port}`]), routes: new Map(), userAgent: "fuzz", resolve });
    return {
      async round(given) {
        state.plan = createPlan(given);
        state.random = given;
        const signal = AbortSignal.timeout(FETCH_MS);
        await fetcher
          .fetch({ url: `https://tls.test:${port}/`, maxBytes: 100_000, signal })
          .catch((error: unknown) => expectKind(error, IngestError));
      },
      async close() {
        setDefaultCACertificates(trusted);
        await fetcher.close();
        for (const socket of sockets) socket.destroy();
        for (const server of [inner, outer]) await new Promise((closed) => server.close(closed));
      },
    };
  },
};
