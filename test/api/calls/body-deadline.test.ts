import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import type { FastifyRequest } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createBodyDeadline } from "#http/request/body/body-deadline.ts";

test("a body that does not arrive in time ends its connection with 408; a complete body has no deadline", async () => {
  const deadline = createBodyDeadline({ bodyMs: 100, pollMs: 20 });
  const server = createServer((request, response) => {
    const asked = { raw: request } as FastifyRequest;
    deadline.begin(asked);
    request.resume().once("end", () => {
      deadline.end(asked);
      setTimeout(() => response.end("done"), 300);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    deadline.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      socket
        .setEncoding("utf8")
        .on("data", (part: string) => (answer += part))
        .on("error", reject)
        .on("close", () => resolve(answer));
    });
  const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\n";
  const [late, inTime] = await Promise.all([send(`${head}ab`), send(`${head}abcde`)]);
  expect(late).toMatch(
    /^HTTP\/1\.1 408 [^]*\r\nX-Error-Code: request_timeout\r\n[^]*\r\n\r\n\{"error":"The request body took too long to arrive\."\}$/,
  );
  expect(inTime).toMatch(/^HTTP\/1\.1 200 [^]*done/);
});

test("a client that neither closes nor reads is disconnected shortly after the 408", async () => {
  const deadline = createBodyDeadline({ bodyMs: 100, pollMs: 20, lingerMs: 50 });
  const closed = Promise.withResolvers<void>();
  const asked: FastifyRequest[] = [];
  const server = createServer((request) => {
    asked.push({ raw: request } as FastifyRequest);
    request.on("data", () => {}).on("error", () => {});
    request.socket.once("close", () => closed.resolve());
    deadline.begin(asked[0] as FastifyRequest);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => {
    deadline.stop();
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  socket.on("error", () => {}).write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na");
  await closed.promise;
  expect(asked).toHaveLength(1);
});
