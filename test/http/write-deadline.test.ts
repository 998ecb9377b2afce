import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createWriteDeadline } from "#http/server/write-deadline.ts";

const MIB = 1_048_576;
const POLL_MS = 20;
const TIMEOUT_MS = 400;
const SLOW_TIMEOUT_MS = 2_000;

/** Connects a client to a server that sends `bytes`, and returns both ends. */
async function transfer(bytes: number, writeMs = TIMEOUT_MS): Promise<{ readonly client: Socket; readonly sender: Socket }> {
  const deadline = createWriteDeadline({ writeMs, pollMs: POLL_MS });
  const server = createServer((socket) => {
    deadline.watch(socket);
    socket.on("error", () => {}).write(Buffer.alloc(bytes));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {}).pause();
  onTestFinished(() => {
    client.destroy();
    deadline.stop();
    server.close();
  });
  return { client, sender: (await accepted)[0] };
}

test("a connection whose client reads nothing is closed, even if more is written to it", async () => {
  const { sender } = await transfer(32 * MIB);
  const heartbeat = setInterval(() => sender.write("."), POLL_MS);
  await once(sender, "close");
  clearInterval(heartbeat);
  expect(sender.destroyed).toBe(true);
});

test("a client that reads slowly gets one long write completely", async () => {
  const { client, sender } = await transfer(24 * MIB, SLOW_TIMEOUT_MS);
  let received = 0;
  const reading = setInterval(() => {
    // Twice the deadline in total, and a fortieth of it between two reads, so that a busy machine does not look like a client that stopped.
    const piece = client.read(Math.min(client.readableLength, MIB / 4)) as Buffer | null;
    received += piece?.length ?? 0;
  }, SLOW_TIMEOUT_MS / 40);
  client.on("readable", () => {});
  await expect.poll(() => received + Number(sender.destroyed)).toBe(24 * MIB);
  clearInterval(reading);
});

test("a connection without unsent bytes is left alone", async () => {
  const { sender } = await transfer(10);
  await new Promise((resolve) => setTimeout(resolve, 2 * TIMEOUT_MS));
  expect(sender.destroyed).toBe(false);
});
