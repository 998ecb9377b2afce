import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A webhook request of the server. */
export type Delivery = { readonly body: Buffer; readonly headers: IncomingHttpHeaders; readonly method: string };

export type Receiver = {
  readonly port: number;
  readonly secret: string;
  /** Every delivery whose body contains this text, in order of arrival. */
  with(text: string): readonly Delivery[];
  /** The first delivery whose body contains this text; null if none arrives in time. */
  first(text: string, timeoutMs: number): Promise<Delivery | null>;
  close(): Promise<void>;
};

/** Listens on the loopback port that the webhook of the server points to; 0 is any free one. Responds with 200 to every request. */
export async function openReceiver(port: number, secret: string): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      deliveries.push({ body: Buffer.concat(parts), headers: request.headers, method: request.method ?? "" });
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

  const matching = (text: string): readonly Delivery[] => deliveries.filter((delivery) => delivery.body.includes(text));
  return {
    port: (server.address() as AddressInfo).port,
    secret,
    with: matching,
    first: async (text, timeoutMs) => {
      const until = Date.now() + timeoutMs;
      while (Date.now() < until) {
        const found = matching(text)[0];
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return null;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
