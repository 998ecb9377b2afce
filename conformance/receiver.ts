import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

/** One outbound request of the service, as it came over the wire. */
export type Delivery = { readonly body: Buffer; readonly headers: IncomingHttpHeaders; readonly method: string };

export type Receiver = {
  readonly secret: string;
  /** Every delivery whose body contains this text, in the order they came. */
  with(text: string): readonly Delivery[];
  /** The first delivery whose body contains this text; null when none came in time. */
  first(text: string, timeoutMs: number): Promise<Delivery | null>;
  close(): Promise<void>;
};

/** Listens on the loopback port that the tester has pointed the service's webhook to, and answers 200 to all. */
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
