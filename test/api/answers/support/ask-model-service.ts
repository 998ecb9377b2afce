import { afterAll, beforeAll, beforeEach } from "vitest";
import { type OpenAiServer, type Script, startOpenAiServer } from "../../../support/servers/openai-server.ts";
import { type TestService, startTestService } from "../../../support/service.ts";

export const KEY = "sk-model-key-0123456789";
const TIMEOUT_MS = 1_500;
export const FERRY = "The harbour ferry departs at 6:40 every morning from pier three. Dogs travel free on Sundays.";
const MUSEUM = "The museum of maps has nine rooms and is closed on Mondays.";
export const QUESTION = "When does the harbour ferry depart?";
export const FALLBACK_NOTICE = "These are the passages that match best.";

export let model: OpenAiServer;
export let service: TestService;
export let board: string;
export let ferry: string;
export let museum: string;

export const newBoard = async (name = "Asked"): Promise<string> =>
  (await service.call("POST", "/api/board/boards", { body: { name } })).json.board.id;
export const addTile = async (to: string, content: string, fields: object = {}): Promise<string> =>
  (await service.call("POST", `/api/board/${to}/tiles`, { body: { content, ...fields } })).json.tile.id;
export const ask = (of: string, question = QUESTION, more: { body?: object; key?: string } = {}) =>
  service.call("POST", `/api/board/${of}/ask`, { body: { question, ...more.body }, ...(more.key === undefined ? {} : { key: more.key }) });

/** The source number of a text. */
export function findSourceNumber(prompt: string, words: string): number {
  const before = prompt.slice(0, prompt.indexOf(words));
  return Number(
    before
      .match(/source (\d+):/g)
      ?.at(-1)
      ?.match(/\d+/)?.[0],
  );
}
export const SAYS_WELL: Script = ({ prompt }) => ({
  text: `The ferry leaves at 6:40. [${findSourceNumber(prompt, "The harbour ferry")}: "departs at 6:40 every morning"]`,
  usage: { input: 320, output: 25 },
});

/** Registers the hooks that set up and close what the tests of a file share. */
export function useAskModelService(): void {
  beforeAll(async () => {
    model = await startOpenAiServer(SAYS_WELL);
    service = await startTestService({
      LLM_PROVIDER: "openai-compatible",
      LLM_MODEL: "tiny",
      LLM_API_KEY: KEY,
      LLM_BASE_URL: model.url,
      LLM_TIMEOUT_MS: String(TIMEOUT_MS),
      LLM_MAX_OUTPUT_TOKENS: "300",
      ASK_CONTEXT_TOKENS: "1000",
    });
    board = await newBoard();
    ferry = await addTile(board, FERRY, { title: "Ferry times" });
    museum = await addTile(board, MUSEUM, { title: "Museum" });
  });
  beforeEach(() => model.script(SAYS_WELL));
  afterAll(async () => {
    await service.stop();
    await model.close();
  });
}
