import { Agent, request } from "node:http";
import type { Request } from "./requests.ts";

/** A connection that sends one request at a time. */
export type Sender = { send(request: Request, onResponse: (status: number) => void): void; close(): void };

/** One keep-alive connection of Node's own HTTP client, which reads and parses every response as a program would. */
export class ClientConnection implements Sender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  readonly #onError: (error: Error) => void;

  constructor(port: number, onError: (error: Error) => void) {
    this.#port = port;
    this.#onError = onError;
  }

  send({ method, path, headers, body }: Request, onResponse: (status: number) => void): void {
    const call = request({ agent: this.#agent, host: "127.0.0.1", port: this.#port, method, path, headers }, (response) => {
      response.on("data", () => {});
      response.on("error", this.#onError);
      response.on("end", () => onResponse(response.statusCode ?? 0));
    });
    call.on("error", this.#onError);
    call.end(body);
  }

  close(): void {
    this.#agent.destroy();
  }
}
