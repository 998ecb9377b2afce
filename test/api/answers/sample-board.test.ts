import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SAMPLE_QUESTIONS, SAMPLE_ZONES, type SampleTile } from "../../../web/src/sample/content.ts";
import { type OpenAiServer, type Script, type WireRequest, startOpenAiServer } from "../../support/servers/openai-server.ts";
import { type TestService, startTestService } from "../../support/service.ts";

/** For each suggested question: the sentences that the answer must quote, and the tile and type that hold them. */
const EXPECTED: Readonly<Record<string, readonly (readonly [title: string, type: string, quote: string])[]>> = {
  "When is Saturn best seen?": [
    ["What to look at in 2026, month by month", "WEBSITE", "Saturn is best seen in September and October, when it stands in the south"],
  ],
  "Why was the dome closed in March?": [
    ["Dome log, spring 2026", "TEXT", "The dome is closed to visitors, because the slit cannot be shut and rain could reach the mirror."],
    ["Volunteers' meeting, 12 March 2026", "TEXT", "The slit does not shut, so the dome stays closed until the rollers are replaced."],
  ],
  "How many visitors did the observatory welcome in 2025?": [
    ["Annual report 2025", "PDF", "The observatory welcomed 3,024 visitors in 2025, which is 11 per cent more than in 2024."],
  ],
};

/** Creates the tile as the page does: a note, or an upload whose type is detected. Returns its id. */
async function addTile(service: TestService, zoneId: string, { title, file }: SampleTile): Promise<string> {
  const bytes = readFileSync(new URL(`../../../web/src/sample/files/${file}`, import.meta.url));
  const path = `/api/board/${service.boardId}`;
  if (file.endsWith(".txt")) {
    const body = { title, content: bytes.toString(), zone_id: zoneId };
    return (await service.call("POST", `${path}/tiles`, { body })).json.tile.id;
  }
  const form = new FormData();
  form.append("file", new File([bytes], file));
  form.append("title", title);
  form.append("zone_id", zoneId);
  const response = await fetch(`${service.url}${path}/files`, { method: "POST", headers: { "x-api-key": service.key }, body: form });
  return ((await response.json()) as { tile: { id: string } }).tile.id;
}

/** Fills the default board with the sample; returns the text of each tile by its id. */
async function fillSample(service: TestService): Promise<ReadonlyMap<string, string>> {
  const ids: string[] = [];
  for (const { tiles, ...zone } of SAMPLE_ZONES) {
    const { json } = await service.call("POST", `/api/board/${service.boardId}/zones`, { body: zone });
    for (const tile of tiles) ids.push(await addTile(service, json.zone.id, tile));
  }
  const tiles = await Promise.all(ids.map(async (id) => (await service.call("GET", `/api/board/tiles/${id}?wait=25`)).json.tile));
  expect(tiles.map(({ status, warnings }) => [status, warnings])).toEqual(tiles.map(() => ["ready", []]));
  return new Map(tiles.map(({ id, extractedText }) => [id, extractedText]));
}

const ask = async (service: TestService, question: string): Promise<any> =>
  (await service.call("POST", `/api/board/${service.boardId}/ask`, { body: { question } })).json;

function expectQuotes(answer: any, question: string, texts: ReadonlyMap<string, string>): void {
  expect(answer.answered, question).toBe(true);
  for (const { tileId, quote, start, end } of answer.citations) expect(texts.get(tileId)?.slice(start, end)).toBe(quote);
  for (const [title, type, quote] of EXPECTED[question] ?? [])
    expect(answer.citations).toContainEqual(expect.objectContaining({ title, type, quote: expect.stringContaining(quote) }));
}

test("every suggested question has an expected answer", () => {
  expect(Object.keys(EXPECTED)).toEqual(SAMPLE_QUESTIONS);
});

describe("without a language model", () => {
  let service: TestService;
  let texts: ReadonlyMap<string, string>;
  beforeAll(async () => {
    service = await startTestService();
    texts = await fillSample(service);
  });
  afterAll(() => service?.stop());

  test.each(SAMPLE_QUESTIONS)("%s is answered by the expected quotes, and the first one is the answer", async (question) => {
    const answer = await ask(service, question);
    expect(answer.mode).toBe("extractive");
    expectQuotes(answer, question, texts);
    const [title, type, quote] = EXPECTED[question]?.[0] ?? [];
    expect(answer.citations[0]).toMatchObject({ title, type });
    // Nothing beside the point is quoted.
    expect(answer.citations).toHaveLength(EXPECTED[question]?.length ?? 0);
    expect(answer.answer).toContain(quote);
  });
});

describe("with a language model", () => {
  let service: TestService;
  let model: OpenAiServer;
  let texts: ReadonlyMap<string, string>;

  /** A model that finds each expected sentence in the source of that title, and cites it. */
  const quoteSources: Script = ({ prompt }: WireRequest) => {
    const question = SAMPLE_QUESTIONS.find((one) => prompt.endsWith(one)) ?? "";
    const cited = (EXPECTED[question] ?? []).map(([title, , quote]) => {
      const number = new RegExp(String.raw`source (\d+): ${title}`).exec(prompt)?.[1] ?? "0";
      return `It is written there. [${number}: "${quote}"]`;
    });
    return { text: cited.join(" ") };
  };

  beforeAll(async () => {
    model = await startOpenAiServer(quoteSources);
    service = await startTestService({
      LLM_PROVIDER: "openai-compatible",
      LLM_MODEL: "tiny",
      LLM_API_KEY: "sk-model-key",
      LLM_BASE_URL: model.url,
    });
    texts = await fillSample(service);
  });
  afterAll(async () => {
    await service?.stop();
    await model?.close();
  });

  test.each(SAMPLE_QUESTIONS)("%s is answered from sources that hold the expected sentences", async (question) => {
    const answer = await ask(service, question);
    expect(answer.mode).toBe("model");
    expectQuotes(answer, question, texts);
    expect(answer.answer).not.toContain("[unsupported]");
  });
});
