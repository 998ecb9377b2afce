import { afterEach, beforeEach } from "vitest";
import { until } from "../../../e2e/support/servers.ts";
import { type TestService, startTestService } from "../../../support/service.ts";
import type { Host, NodeSetup } from "./host.ts";
import { type Instance, startInstance } from "./instance.ts";

/** A server, and an n8n whose workflow begins with the trigger. */
export type Trigger = {
  readonly service: TestService;
  readonly n8n: Instance;
  /** A key that may read and manage webhooks. */
  readonly key: string;
  /** Activates the workflow, and waits for the delivery that the node asks for. */
  activate(change?: Partial<NodeSetup>): Promise<void>;
  /** Creates a text, and waits until the change feed has it. Returns the id of the tile. */
  createTile(title: string, more?: object): Promise<string>;
  /** The webhooks of the key. */
  listWebhooks(): Promise<any[]>;
  /** The events that the workflow began with, as `event title`. */
  listEvents(): string[];
  untilEvents(count: number): Promise<unknown>;
};

/** Starts a server and an n8n before each test, and stops them after it. */
export function useTrigger(host: Host, parameters: object): Trigger {
  const trigger = {} as Trigger;
  beforeEach(async () => {
    const n8n = await startInstance(host, { baseUrl: "", apiKey: "", parameters });
    const service = await startTestService({ WEBHOOK_ALLOW: new URL(n8n.url).host });
    const { key } = await service.newKey({ permission: "read", webhooks: true });
    Object.assign(trigger, { n8n, service, key }, createActions(n8n, service, key));
  });
  afterEach(async () => {
    await trigger.n8n?.stop();
    await trigger.service?.stop();
  });
  return trigger;
}

function createActions(n8n: Instance, service: TestService, key: string): Omit<Trigger, "n8n" | "service" | "key"> {
  const listEvents = () => n8n.executions.flat().map(({ event, payload }) => `${event} ${payload.title}`);
  return {
    async activate(change = {}) {
      const before = n8n.statuses.length;
      await n8n.activate({ baseUrl: service.url, apiKey: key, ...change });
      await until("the delivery that the node asks for", async () => n8n.statuses.length > before);
    },
    async createTile(title, more = {}) {
      const { nextCursor } = (await service.call("GET", "/api/changes?cursor=now")).json;
      const body = { title, content: `About ${title}.`, ...more };
      const { tile } = (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body })).json;
      await until("the change", async () => (await service.call("GET", `/api/changes?cursor=${nextCursor}`)).json.changes.length > 0);
      return tile.id;
    },
    listWebhooks: async () => (await service.call("GET", "/api/webhooks", { key })).json.webhooks,
    listEvents,
    untilEvents: (count) => until(`${count} events`, async () => listEvents().length >= count),
  };
}
