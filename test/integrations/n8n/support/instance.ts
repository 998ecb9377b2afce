import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Host, NodeSetup, OpenNode } from "./host.ts";

/** An n8n that has one workflow, which begins with the trigger. */
export type Instance = {
  /** The address that the trigger subscribes. */
  readonly url: string;
  /** What n8n has stored with the workflow. Every use works on a copy, as n8n reads it from its database. */
  stored: any;
  /** The data of the items that each execution began with. */
  readonly executions: any[][];
  /** The status of each response to a delivery. */
  readonly statuses: number[];
  /** What the node logged. */
  readonly warnings: string[];
  /** Changes the node or its credential without activating the workflow again. Returns the setup before. */
  change(setup: Partial<NodeSetup>): NodeSetup;
  /** Does what n8n does when a workflow is activated, and when n8n starts with an active workflow. */
  activate(change?: Partial<NodeSetup>): Promise<void>;
  deactivate(): Promise<void>;
  /** Ends the process of n8n: nothing answers, and what the node kept in memory is gone. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** Starts an n8n on a free port. */
export async function startInstance(host: Host, setup: Omit<NodeSetup, "staticData">): Promise<Instance> {
  let current: NodeSetup = setup;
  let server: Server | undefined;
  let port = 0;

  const open = (): OpenNode => host.open("TesseraTrigger", { ...current, staticData: structuredClone(instance.stored) });
  const save = ({ workflow }: OpenNode): void => {
    if (workflow.staticData.__dataChanged === true) instance.stored = JSON.parse(JSON.stringify(workflow.staticData));
  };
  const logger = { warn: (message: string) => instance.warnings.push(message) };
  const runHook = async (name: "checkExists" | "create" | "delete"): Promise<boolean> => {
    const node = open();
    const context = node.createContext({ logger, getNodeWebhookUrl: () => instance.url });
    const result = await node.type.webhookMethods.default[name].call(context);
    save(node);
    return result;
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await runWebhook(instance, open(), { request, response, logger, rawBody: Buffer.concat(parts), save });
  };
  const instance: Instance = {
    get url() {
      return `http://127.0.0.1:${port}/webhook/tessera`;
    },
    stored: {},
    executions: [],
    statuses: [],
    warnings: [],
    change(setup) {
      const before = current;
      current = { ...current, ...setup };
      return before;
    },
    async activate(change = {}) {
      instance.change(change);
      if (!(await runHook("checkExists"))) await runHook("create");
    },
    async deactivate() {
      await runHook("delete");
    },
    async stop() {
      server?.closeAllConnections();
      await new Promise((done) => server?.close(done) ?? done(undefined));
      server = undefined;
      host.reload();
    },
    async start() {
      server = createServer((request, response) => void receive(request, response));
      await new Promise<void>((done) => server?.listen(port, "127.0.0.1", done));
      ({ port } = server.address() as AddressInfo);
    },
  };
  await instance.start();
  return instance;
}

type Delivery = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly logger: object;
  readonly rawBody: Buffer;
  save(node: OpenNode): void;
};

/** Runs the trigger for a request, and answers as n8n does to a webhook that responds at once. */
async function runWebhook(instance: Instance, node: OpenNode, { request, response, logger, rawBody, save }: Delivery): Promise<void> {
  const reply = {
    status(code: number) {
      response.statusCode = code;
      return reply;
    },
    json: (body: object) => response.end(JSON.stringify(body)),
  };
  const context = node.createContext({
    logger,
    getNodeWebhookUrl: () => instance.url,
    getHeaderData: () => request.headers,
    getBodyData: () => JSON.parse(rawBody.toString()),
    getRequestObject: () => Object.assign(request, { rawBody }),
    getResponseObject: () => reply,
  });
  try {
    const { workflowData, noWebhookResponse } = await node.type.webhook.call(context);
    if (workflowData !== undefined) instance.executions.push(workflowData[0].map(({ json }: any) => json));
    if (noWebhookResponse !== true) response.end();
  } catch {
    response.writeHead(500).end();
  }
  save(node);
  instance.statuses.push(response.statusCode);
}
