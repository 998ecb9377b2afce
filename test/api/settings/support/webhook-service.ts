import { afterAll, beforeAll } from "vitest";
import { type Receiver, openReceiver, until } from "../../../e2e/support/servers.ts";
import { type People, gatherPeople } from "../../../support/people/settings.ts";
import { type TestService, startTestService } from "../../../support/service.ts";

export const WEBHOOK = "/api/settings/webhook";
export const DELIVERIES = `${WEBHOOK}/deliveries`;
export let service: TestService;
export let people: People;
export let receiver: Receiver;

/** How the receiver answers. */
export const reply = { status: 200 };
export const ask = (method: string, path: string, body?: unknown) => people.owner.call(method, path, body === undefined ? {} : { body });
export const set = async (more: object = {}) => (await ask("POST", WEBHOOK, { url: `${receiver.url}/hook`, ...more })).json;

export const waitForDelivery = (id: string) =>
  until("the delivery's end", async () => {
    const { delivery } = (await ask("GET", `${DELIVERIES}/${id}`)).json;
    return ["succeeded", "failed"].includes(delivery.status) && delivery;
  });

export const sendTest = async () => (await ask("POST", `${WEBHOOK}/test`)).json.delivery.id;

/** Registers the hooks that set up and close what the tests of a file share. */
export function useWebhookService(): void {
  beforeAll(async () => {
    receiver = await openReceiver((_request, response) => void response.writeHead(reply.status).end(`answered ${reply.status}`));
    service = await startTestService({ WEBHOOK_ALLOW: receiver.host });
    people = await gatherPeople(service);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });
}
