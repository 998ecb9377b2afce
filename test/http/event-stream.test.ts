import { once } from "node:events";
import { type ServerResponse, createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { FastifyReply } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createWriteDeadline } from "#http/server/write-deadline.ts";
import { openEventStream } from "#http/streams/event-stream.ts";

const STUCK_MS = 1_000;
const PIECES = 30;

test("a client that does not read is disconnected without blocking the sender", async () => {
  const answering = Promise.withResolvers<ServerResponse>();
  const deadline = createWriteDeadline({ writeMs: STUCK_MS, pollMs: STUCK_MS / 4 });
  onTestFinished(() => deadline.stop());
  const server = createServer((_request, response) => answering.resolve(response)).listen(0, "127.0.0.1");
  server.on("connection", (socket) => deadline.watch(socket));
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  socket.on("error", () => undefined).pause();
  const raw = await answering.promise;
  const stream = openEventStream({ raw, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply);
  const piece = "x".repeat(1_000_000);
  // More than the socket buffers hold.
  for (let sent = 0; sent < PIECES; sent++) await stream.send("token", { text: piece });
  expect(raw.destroyed).toBe(true);
  stream.end();
  socket.destroy();
  server.close();
});

test("events after the end are ignored", async () => {
  const failures: unknown[] = [];
  const server = createServer(async (_request, raw) => {
    raw.on("error", (error) => failures.push(error));
    const stream = openEventStream({ raw, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply);
    await stream.send("revision", { content: 1 });
    stream.end();
    await stream.send("revision", { content: 2 });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await response.text()).toBe('event: revision\ndata: {"content":1}\n\n');
  expect(failures).toEqual([]);
  server.close();
});
