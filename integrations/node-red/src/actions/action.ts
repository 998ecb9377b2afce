import type { Client } from "@tessera-board/sdk";
import type { Message, NodeConfig, Red, RedNode } from "../red.ts";
import { requireServer } from "../server.ts";
import { createLimiter } from "./limiter.ts";

export type ActionContext = {
  readonly red: Red;
  readonly client: Client;
  readonly config: NodeConfig;
  readonly message: Message;
  /** Aborts when the node is closed. */
  readonly signal: AbortSignal;
};

/** Makes the calls for one message, and returns the payload of the message that follows. */
export type Action = (context: ActionContext) => Promise<unknown>;

/** A burst of messages must not use up what the server allows for a key. */
const MAX_CONCURRENT_MESSAGES = 8;
const MAX_STATUS_LENGTH = 60;

/** Registers a node that runs the action for each message. Errors go to Catch nodes, with the server's message. */
export function registerAction(red: Red, type: string, action: Action): void {
  red.nodes.registerType<RedNode>(type, function (config) {
    red.nodes.createNode(this, config);
    const closing = new AbortController();
    const limit = createLimiter(MAX_CONCURRENT_MESSAGES);
    let active = 0;
    const run = async (message: Message): Promise<unknown> => {
      closing.signal.throwIfAborted();
      return action({ red, client: requireServer(red, config).connect(), config, message, signal: closing.signal });
    };
    this.on("input", (message, send, done) => {
      active++;
      this.status({ fill: "blue", shape: "dot", text: red._("status.calling", { count: active }) });
      limit(() => run(message)).then(
        (payload) => {
          active--;
          this.status(active === 0 ? {} : { fill: "blue", shape: "dot", text: red._("status.calling", { count: active }) });
          send({ ...message, payload });
          done();
        },
        (error: Error) => {
          active--;
          // Node-RED drops the messages of a node that it closes.
          if (closing.signal.aborted) return done();
          this.status({ fill: "red", shape: "ring", text: error.message.slice(0, MAX_STATUS_LENGTH) });
          done(error);
        },
      );
    });
    this.on("close", (_removed, done) => {
      closing.abort();
      done();
    });
  });
}
