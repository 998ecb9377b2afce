import { request } from "node:http";
import { connect } from "node:net";

export type RawAnswer = { readonly status: number; readonly head: string; readonly body: string };

export function readRaw(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join("\r\n\r\n") };
}

/** Writes exactly these bytes to a socket, and reads until the server closes the connection. */
export function exchange(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    let text = "";
    socket.setEncoding("latin1").on("data", (data) => (text += String(data)));
    // The response is what arrived before the connection was closed.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(readRaw(text)));
  });
}

/** Writes a head and all of a body, as proxies do, before it reads the response. */
export function exchangeAfterSending(url: string, head: string, body: Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).pause();
    let text = "";
    socket.setEncoding("latin1").on("data", (data) => (text += String(data)));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(readRaw(text)));
    socket.write(head);
    socket.write(body, () => socket.resume());
  });
}

/**
 * Writes `head`, and then `piece` repeatedly until the server closes the connection or `maxBytes` of the body are sent.
 * `isClosedByServer` is true if the server closed it.
 */
export function pour(
  url: string,
  head: string,
  piece: Uint8Array,
  maxBytes: number,
): Promise<RawAnswer & { readonly sent: number; readonly isClosedByServer: boolean }> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const framed = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
    let text = "";
    let sent = 0;
    let isClosedByServer = true;
    const writeNext = (): void => {
      if (socket.destroyed || socket.writableEnded) return;
      if (sent >= maxBytes) {
        isClosedByServer = false;
        socket.destroy();
        return;
      }
      sent += piece.length;
      if (socket.write(framed)) setImmediate(writeNext);
      else socket.once("drain", writeNext);
    };
    socket.on("connect", () => {
      socket.write(head);
      writeNext();
    });
    socket.setEncoding("latin1").on("data", (data) => (text += String(data)));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve({ ...readRaw(text), sent, isClosedByServer }));
  });
}

/** Sends a request that may repeat headers, which `fetch` can't. */
export function send(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | string[]>>,
  body?: string,
): Promise<{ readonly status: number; readonly headers: Record<string, string | string[] | undefined>; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request({ hostname, port, method, path, headers, agent: false }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (data) => (text += String(data)));
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
