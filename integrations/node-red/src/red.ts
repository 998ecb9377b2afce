import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

/** A message of a flow. */
export type Message = Record<string, unknown>;

export type Status = {
  readonly fill?: "red" | "green" | "yellow" | "blue" | "grey";
  readonly shape?: "ring" | "dot";
  readonly text?: string;
};

type Send = (message: Message) => void;
type Done = (error?: Error) => void;

/** What Node-RED calls a node: one box of a flow, or a configuration node. */
export interface RedNode {
  readonly id: string;
  readonly name?: string;
  readonly credentials?: Readonly<Record<string, string | undefined>>;
  on(event: "input", listener: (message: Message, send: Send, done: Done) => void): void;
  on(event: "close", listener: (removed: boolean, done: () => void) => void): void;
  send(message: Message): void;
  status(status: Status): void;
  warn(message: string): void;
  error(message: string): void;
}

/** What the edit dialog has stored. */
export type NodeConfig = Readonly<Record<string, unknown>>;

export type Request = IncomingMessage & {
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Of calls to the admin API only: Node-RED has parsed it. */
  readonly body?: unknown;
};
type Handler = (request: Request, response: ServerResponse, next: (error?: unknown) => void) => void;
type App = { post(path: string, ...handlers: readonly Handler[]): void };

/** The part of Node-RED's API that these nodes use. */
export type Red = {
  readonly nodes: {
    createNode(node: RedNode, config: NodeConfig): void;
    getNode(id: unknown): RedNode | null;
    registerType<Node extends RedNode>(
      type: string,
      constructor: (this: Node, config: NodeConfig) => void,
      options?: { readonly credentials: Readonly<Record<string, { readonly type: "text" | "password" }>> },
    ): void;
  };
  readonly settings: {
    readonly httpNodeRoot?: string | false;
    get(name: string): unknown;
    /** Resolves when the value is stored; Node-RED writes it to disk. */
    set(name: string, value: unknown): Promise<unknown>;
  };
  readonly auth: { needsPermission(permission: string): Handler };
  readonly httpAdmin: App;
  readonly httpNode: App;
  /** The text of a message in the language of Node-RED. */
  _(key: string, values?: Readonly<Record<string, unknown>>): string;
};
