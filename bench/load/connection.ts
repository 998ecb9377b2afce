import { type Socket, connect } from "node:net";

const HEAD_END = "\r\n\r\n";
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** One keep-alive connection with one request under way at most; it reads no more of an answer than where it ends. */
export class Connection {
  readonly #socket: Socket;
  #settle: ((status: number) => void) | null = null;
  #rest: Buffer | null = null;
  #status = 0;
  #missing = 0;

  private constructor(socket: Socket, onFault: (error: Error) => void) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#take(chunk, onFault));
    socket.on("error", onFault);
    socket.on("close", () => {
      if (this.#settle !== null) onFault(new Error("The server closed a connection with a request under way."));
    });
  }

  static open(port: number, onFault: (error: Error) => void): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const socket = connect(port, "127.0.0.1", () => {
      socket.off("error", reject);
      resolve(new Connection(socket, onFault));
    });
    socket.once("error", reject);
    return promise;
  }

  send(request: Buffer, settle: (status: number) => void): void {
    this.#settle = settle;
    this.#socket.write(request);
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
      this.#rest = end < 0 ? bytes : null;
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
