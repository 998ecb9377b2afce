import { type Socket, connect } from "node:net";
import type { Sender } from "./http-client-connection.ts";
import type { Request } from "./requests.ts";

const HEAD_END = "\r\n\r\n";
const READ_BYTES = 65_536;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** One keep-alive connection with at most one request in flight. Of a response, it only parses the status and the length. */
export class Connection implements Sender {
  readonly #socket: Socket;
  #onResponse: ((status: number) => void) | null = null;
  #partialHead: Buffer | null = null;
  #status = 0;
  #remaining = 0;

  private constructor(port: number, onOpen: () => void, onError: (error: Error) => void) {
    const onRead = (length: number, bytes: Uint8Array): boolean => {
      this.#onRead(Buffer.from(bytes.buffer, bytes.byteOffset, length), onError);
      return true;
    };
    // Reuse one read buffer: garbage collection would delay the generator.
    const socket = connect({ port, host: "127.0.0.1", onread: { buffer: Buffer.alloc(READ_BYTES), callback: onRead } }, onOpen);
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("error", onError);
    socket.on("close", () => {
      if (this.#onResponse !== null) onError(new Error("The server closed a connection with a request in flight."));
    });
  }

  static open(port: number, onError: (error: Error) => void): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection: Connection = new Connection(
        port,
        () => resolve(connection),
        (error) => {
          reject(error);
          onError(error);
        },
      );
    });
  }

  send({ bytes }: Request, onResponse: (status: number) => void): void {
    this.#onResponse = onResponse;
    this.#socket.write(bytes);
  }

  close(): void {
    this.#onResponse = null;
    this.#socket.destroy();
  }

  #onRead(chunk: Buffer, onError: (error: Error) => void): void {
    if (this.#remaining > 0) {
      this.#remaining -= chunk.length;
    } else {
      const bytes = this.#partialHead === null ? chunk : Buffer.concat([this.#partialHead, chunk]);
      const end = bytes.indexOf(HEAD_END);
      this.#partialHead = end < 0 ? Buffer.from(bytes) : null;
      if (end < 0) return;
      const head = bytes.toString("latin1", 0, end);
      const length = LENGTH.exec(head);
      if (length === null) return onError(new Error(`A response without Content-Length:\n${head}`));
      this.#status = Number(head.slice(9, 12));
      this.#remaining = Number(length[1]) - (bytes.length - end - HEAD_END.length);
    }
    if (this.#remaining > 0) return;
    const onResponse = this.#onResponse;
    this.#onResponse = null;
    onResponse?.(this.#status);
  }
}
