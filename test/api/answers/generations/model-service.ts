import { afterAll, beforeAll, beforeEach } from "vitest";
import { setWebhook } from "#service/settings/webhooks.ts";
import { type OpenAiServer, startOpenAiServer } from "../../../support/servers/openai-server.ts";
import { type LocalServer, listen } from "../../../e2e/support/servers.ts";
import { type TestService, startTestService } from "../../../support/service.ts";

export let model: OpenAiServer;
export let service: TestService;
export let canary: LocalServer;
export let canaryHits = 0;

export const TIDES = "The tide of the bay rises four metres twice a day. Boats leave the harbour two hours before high water.";
export const KELP = "Kelp forests grow half a metre a day in cold and clear water. Sea otters keep urchins away from the kelp.";
export const DRAFT = {
  title: "Four metres of tide",
  sections: [
    { heading: "", text: "Twice a day the bay fills.", citations: [{ source: 1, quote: "rises four metres twice a day" }] },
    { heading: "When to leave", text: "Go before the water is high.", citations: [{ source: 1, quote: "words that stand nowhere in it" }] },
  ],
};

export async function newBoard(...contents: readonly string[]): Promise<string> {
  const { id } = (await service.call("POST", "/api/board/boards", { body: { name: "Bay" } })).json.board;
  for (const content of contents) await addTile(id, content);
  return id;
}
export const addTile = async (board: string, content: string, more: object = {}): Promise<string> =>
  (await service.call("POST", `/api/board/${board}/tiles`, { body: { content, ...more } })).json.tile.id;
export const generate = (body: object, headers: Record<string, string> = {}, key?: string) =>
  service.call("POST", "/api/v1/generate", { body, headers, ...(key === undefined ? {} : { key }) });
export const read = async (id: string, query = "") => (await service.call("GET", `/api/v1/generations/${id}${query}`)).json.generation;
export const newest = async (board: string) => {
  const { generations } = (await service.call("GET", `/api/v1/generations?board_id=${board}&limit=1`)).json;
  return generations[0];
};
export const listEvents = async (id: string): Promise<string[]> =>
  (await service.appContext.deps.store.webhooks.deliveries(service.businessId, 500))
    .filter(({ payload }) => payload.includes(id))
    .map(({ event }) => event);

/** Registers the hooks that set up and close what the tests of a file share. */
export function useModelService(): void {
  beforeAll(async () => {
    canary = await listen((_request, response) => {
      canaryHits++;
      response.end("seen");
    });
    model = await startOpenAiServer(() => ({ status: 500 }));
    service = await startTestService({
      LLM_PROVIDER: "openai-compatible",
      LLM_MODEL: "mock",
      LLM_BASE_URL: model.url,
      LLM_TIMEOUT_MS: "1500",
      GENERATE_WAIT_MS: "4000",
    });
    await setWebhook(service.appContext.deps, service.businessId, {
      url: "https://receiver.example/hook",
      events: ["generation.complete", "generation.failed"],
      actor: "operator",
    });
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([model.close(), canary.close()]);
  });
  beforeEach(() => model.script(() => ({ text: JSON.stringify(DRAFT) })));
}
