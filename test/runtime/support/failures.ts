import { EventEmitter } from "node:events";
import { createReadStream, readFile } from "node:fs";
import { type IncomingMessage, createServer as createHttpServer, get } from "node:http";
import { type AddressInfo, type Server, connect as connectTcp, createServer } from "node:net";
import { connect as connectTls } from "node:tls";
import { Worker } from "node:worker_threads";
import { createGunzip } from "node:zlib";
import { currentContext, runInContext } from "#runtime/work-context.ts";

/** Causes unexpected errors of every kind, each in a context of its own, and prints the context that the handler sees. */

const fail = (): never => {
  throw new Error("an injected fault");
};
const listenOnPort = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};
const echo = createServer((socket) => socket.on("error", () => {}).on("data", () => socket.write("not TLS, and not HTTP either\r\n\r\n")));
const open = await listenOnPort(echo);
const gone = createServer();
const closed = await listenOnPort(gone);
await new Promise((resolve) => void gone.close(resolve));

const pending = Promise.withResolvers<never>();

const FAILURES: Record<string, () => unknown> = {
  timer: () => setTimeout(fail, 1),
  immediate: () => setImmediate(fail),
  "next tick": () => process.nextTick(fail),
  microtask: () => queueMicrotask(fail),
  "rejected promise": () => void Promise.reject(new Error("an injected rejection")),
  "asynchronous function": () =>
    void (async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      fail();
    })(),
  "abort listener": () => AbortSignal.timeout(1).addEventListener("abort", fail),
  "emitter without a listener": () => setTimeout(() => new EventEmitter().emit("error", new Error("an injected event")), 1),
  "TCP connection refused": () => connectTcp(closed, "127.0.0.1"),
  "TCP data": () => {
    const socket = connectTcp(open, "127.0.0.1", () => socket.write("x"));
    socket.once("data", fail);
  },
  "TLS connection refused": () => connectTls(closed, "127.0.0.1"),
  "TLS handshake": () => connectTls(open, "127.0.0.1"),
  "TLS look-up that fails at once": () =>
    connectTls({ host: "x.invalid", port: 1, lookup: (_host, _options, done) => done(new Error("no such name"), "", 4) }),
  "HTTP response": () => get({ port: open, host: "127.0.0.1" }),
  file: () => readFile(import.meta.filename, fail),
  "file stream": () => createReadStream("/nowhere/at/all"),
  decompression: () => createGunzip().end("not compressed"),
  "worker thread": () => new Worker("setTimeout(() => { throw new Error('an injected fault') }, 1)", { eval: true }),
  "rejected by another context": () => {
    void pending.promise.then(() => {});
    runInContext({ kind: "call" }, () => setTimeout(() => pending.reject(new Error("late")), 1));
  },
};

const seen: Record<string, unknown> = {};
/** Resolves with what the handler sees next. */
const next = (): Promise<unknown> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve("no error"), 10_000);
    process.removeAllListeners("uncaughtException").on("uncaughtException", () => {
      clearTimeout(timer);
      resolve(currentContext());
    });
  });

for (const [name, cause] of Object.entries(FAILURES)) {
  const handled = next();
  runInContext({ kind: "job", jobId: name }, cause);
  seen[name] = await handled;
}

// A server's connections belong to the context in which it began to listen, the parsing of requests included.
const failOn = (request: IncomingMessage): void => void request.on("end", fail).resume();
for (const [name, handler] of Object.entries({ call: fail, "body of a call": failOn })) {
  const server = createHttpServer(handler);
  const port = await runInContext({ kind: "call" }, () => listenOnPort(server));
  const handled = next();
  get({ port, host: "127.0.0.1" }).on("error", () => {});
  seen[name] = await handled;
  server.closeAllConnections();
  server.close();
}
process.stdout.write(JSON.stringify(seen), () => process.exit(0));
