import { type Ids, type Operation, fillPath, readOperations } from "../../../support/operations.ts";
import { type Browser, claimOwner } from "../../../support/people/people.ts";
import { type Answer, type TestService, startTestService } from "../../../support/service.ts";
import { fillBoard } from "../../../support/test-data.ts";
import { type Fixture, getFixture } from "./route-fixtures.ts";

export type CallOptions = {
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ids?: Ids;
  readonly method?: string;
};

export type EveryOperation = {
  /** A service with one business, since backups are for those only, and with two boards. */
  readonly testData: { readonly service: TestService; readonly boardA1: Ids; readonly boardA2: Ids };
  readonly operations: readonly Operation[];
  readonly owner: Browser;
  /** Ids of the first board and of settings. All exist. */
  readonly ids: Ids;
  fixtureOf(operation: Operation): Fixture;
  /** Calls an operation with a key that may do everything, or as an owner where no key suffices. The body is the one of the fixture. */
  call(operation: Operation, options?: CallOptions): Promise<Answer>;
};

/** Starts a service in which every operation of the OpenAPI document can be called. */
export async function startEveryOperation(): Promise<EveryOperation> {
  const service = await startTestService({ ROLE: "api" });
  const second = (await service.call("POST", "/api/board/boards", { body: { name: "Second" } })).json.board.id;
  const testData = { service, boardA1: await fillBoard(service, service.boardId), boardA2: await fillBoard(service, second) };
  const owner = await claimOwner(service);
  await owner.call("POST", "/api/settings/webhook", { body: { url: "https://example.com/hook" } });
  const delivery = await owner.call("POST", "/api/settings/webhook/test");
  const key = await owner.call("POST", "/api/settings/keys", { body: { name: "Other" } });
  const address = await owner.call("POST", "/api/settings/inbound-addresses", { body: { name: "Other", board_id: service.boardId } });
  const settings = {
    deliveryId: delivery.json.delivery.id,
    keyId: key.json.apiKey.id,
    addressId: address.json.inboundAddress.id,
    token: address.json.url.split("/in/")[1],
  };
  const ids: Ids = { ...testData.boardA1, ...settings };
  const subscriber = (await service.newKey({ webhooks: true })).key;
  const body = { url: "https://example.com/registered", events: ["tile.failed"] };
  /** Registers a webhook with a delivery. Paths of registered webhooks name their own deliveries. */
  const register = async (call: (path: string, options: object) => Promise<Answer>, path: string) => {
    const webhookId = (await call(path, { body })).json.webhook.id;
    return { webhookId, deliveryId: (await call(`${path}/${webhookId}/test`, {})).json.delivery.id };
  };
  const registered = {
    subscribe: await register((path, options) => service.call("POST", path, { ...options, key: subscriber }), "/api/webhooks"),
    own: await register((path, options) => owner.call("POST", path, options), "/api/settings/webhooks"),
  };
  return {
    testData,
    operations: await readOperations(service),
    owner,
    ids,
    fixtureOf: getFixture,
    call(operation, { query = "", body, headers = {}, ids: target = ids, method = operation.method } = {}) {
      const fixture = getFixture(operation);
      const own = fixture.query ?? "";
      const named =
        target === ids && operation.path.includes("{webhookId}")
          ? { ...target, ...registered[fixture.need === "own" ? "own" : "subscribe"] }
          : target;
      const path = fillPath(operation.path, named) + own + (query === "" ? "" : `${own === "" ? "?" : "&"}${query}`);
      const sent = body ?? fixture.body?.(target);
      const options = { headers, ...(sent === undefined ? {} : { body: sent }) };
      return ["member", "administer", "own", "open"].includes(fixture.need)
        ? owner.call(method, path, options)
        : service.call(method, path, fixture.need === "subscribe" ? { ...options, key: subscriber } : options);
    },
  };
}
