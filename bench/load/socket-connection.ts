import { type Socket, connect } from "node:net";
import type { Sender } from "./http-client-connection.ts";
import type { Request } from "./requests.ts";

const HEAD_END = "\r\n\r\n";
const READ_BYTES = 65_536;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** One keep-alive connection with one request under way at most; it reads no more of an answer than where it ends. */
export class Connection implements Sender {
  readonly #socket: Socket;
  #settle: ((status: number) => void) | null = null;
  #rest: Buffer | null = null;
  #status = 0;
  #missing = 0;

  private constructor(port: number, onOpen: () => void, onFault: (error: Error) => void) {
    const take = (length: number, bytes: Uint8Array): boolean => {
      this.#take(Buffer.from(bytes.buffer, bytes.byteOffset, length), onFault);
      return true;
    };
    // One buffer for all that is read: a new one each time would keep the generator busy collecting garbage, and make it late.
    const socket = connect({ port, host: "127.0.0.1", onread: { buffer: Buffer.alloc(READ_BYTES), callback: take } }, onOpen);
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("error", onFault);
    socket.on("close", () => {
      if (this.#settle !== null) onFault(new Error("The server closed a connection with a request under way."));
    });
  }

  static open(port: number, onFault: (error: Error) => void): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection: Connection = new Connection(
        port,
        () => resolve(connection),
        (error) => {
          reject(error);
          onFault(error);
        },
      );
    });
  }

  send({ bytes }: Request, settle: (status: number) => void): void {
    this.#settle = settle;
    this.#socket.write(bytes);
  }

  close(): void {
    this.#settle = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer, onFault: (error: Error) => void): void {
    if (this.#missing > 0) {
      this.#missing -= chunk.length;
    } else {
      const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
      const end = bytes.indexOf(HEAD_END);
      this.#rest = end < 0 ? Buffer.from(bytes) : null;
      if (end < 0) return;
      const head = bytes.toString("latin1", 0, end);
      const length = LENGTH.exec(head);
      if (length === null) return onFault(new Error(`An answer without Content-Length:\n${head}`));
      this.#status = Number(head.slice(9, 12));
      this.#missing = Number(length[1]) - (bytes.length - end - HEAD_END.length);
    }
    if (this.#missing > 0) return;
    const settle = this.#settle;
    this.#settle = null;
    settle?.(this.#status);
  }
}
