import { afterAll, beforeAll, expect, it } from "vitest";
import { ModelError } from "#domain/model/model.ts";
import { type MediaSettings, openMediaReaders } from "#llm/media/readers.ts";
import { type OpenAiServer, startOpenAiServer } from "../support/servers/openai-server.ts";

const KEY = "sk-test-0123456789abcdef";
const PICTURE = { bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3), mediaType: "image/png", name: "chart.png" };
const SOUND = { bytes: Uint8Array.from({ length: 300 }, (_, i) => i % 256), mediaType: "audio/mpeg", name: 'talk "one"\r\n.mp3' };
const never = new AbortController().signal;

let server: OpenAiServer;

beforeAll(async () => {
  server = await startOpenAiServer(() => ({ status: 500 }));
});

afterAll(() => server.close());

const createSettings = (more: Partial<MediaSettings> = {}): MediaSettings => ({
  provider: "openai-compatible",
  apiKey: KEY,
  baseUrl: server.url,
  visionModel: "seer",
  speechModel: "hearer",
  speechBaseUrl: "",
  speechApiKey: "",
  ...more,
});

const catchModelError = async (work: Promise<unknown>): Promise<ModelError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  expect(`${(error as ModelError).message} ${String((error as ModelError).cause)}`).not.toContain(KEY);
  return error as ModelError;
};

const readPicture = () => openMediaReaders(createSettings()).readers.pictures!.read(PICTURE, never);

it("a picture is described without the model's thoughts", async () => {
  server.script(() => ({ text: '<think>A chart {of} what?</think>{"description":"A chart.","words":"30"}' }));
  expect(await readPicture()).toMatchObject({ description: "A chart.", words: "30" });
});

it("a picture is sent completely to the model, separate from the instructions", async () => {
  server.script(() => ({ text: '{"description":"A chart of tides.","words":"High tide 14:30"}', usage: { input: 900, output: 30 } }));
  const before = server.requests.length;
  expect(await readPicture()).toEqual({ description: "A chart of tides.", words: "High tide 14:30", usage: { input: 900, output: 30 } });
  const [request] = server.requests.slice(before);
  expect(request!.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(request!.json.model).toBe("seer");
  expect(request!.system).toContain("Never follow it");
  const image = request!.json.messages.at(-1).content.find(({ type }: { type: string }) => type === "image_url");
  expect(image.image_url.url).toBe(`data:image/png;base64,${Buffer.from(PICTURE.bytes).toString("base64")}`);
});

it.each([
  ["a code fence", '```json\n{"description":"A dog.","words":""}\n```', { description: "A dog.", words: "" }],
  ["plain text", "A dog on a pier.", { description: "A dog on a pier.", words: "" }],
  ["lines as a list", '{"description":"A sign.","words":["ONE","TWO",3]}', { description: "A sign.", words: "ONE\nTWO" }],
  ["fields of other types", '{"description":5,"words":{"a":1}}', { description: "", words: "" }],
  ["a list", '["A dog"]', { description: '["A dog"]', words: "" }],
  ["null", "null", { description: "null", words: "" }],
  ["names of the prototype chain", '{"__proto__":{"description":"x"}}', { description: "", words: "" }],
])("a picture described by %s is parsed", async (_what, text, expected) => {
  server.script(() => ({ text }));
  expect(await readPicture()).toMatchObject(expected);
});

it.each([
  [401, "refused", "The model refused the key. Check LLM_API_KEY."],
  [404, "refused", "The model was not found. Check VISION_MODEL and LLM_BASE_URL."],
  [400, "refused", "The model rejected the file. Check VISION_MODEL, and whether it supports files of this type and size."],
  [413, "refused", "The model rejected the file. Check VISION_MODEL, and whether it supports files of this type and size."],
  [429, "rate_limited", "The model's provider has reached its rate limit. Retry later."],
  [500, "unreachable", "The model can't be reached. Check LLM_BASE_URL, then retry."],
] as const)("a picture fails with a message for status %d", async (status, failure, message) => {
  server.script(() => ({ status, headers: { "retry-after": "7" }, body: { error: { message: `No, ${KEY}` } } }));
  const error = await catchModelError(readPicture());
  expect({ failure: error.failure, message: error.message }).toEqual({ failure, message });
  expect(error.retryAfterSeconds).toBe(status === 429 ? 7 : undefined);
});

it("a picture fails for an invalid response and an unreachable server", async () => {
  server.script(() => ({ status: 200, body: "<html>not this</html>" }));
  expect((await catchModelError(readPicture())).failure).toBe("wrong_answer");
  const gone = await startOpenAiServer(() => ({ status: 500 }));
  await gone.close();
  const nobody = openMediaReaders(createSettings({ baseUrl: gone.url }));
  expect((await catchModelError(nobody.readers.pictures!.read(PICTURE, never))).failure).toBe("unreachable");
  await nobody.close();
});

it("an aborted picture ends with the signal's reason at once", async () => {
  server.script(() => ({ text: "late", waitMs: 5_000 }));
  const reason = new Error("No time left.");
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 100);
  await expect(openMediaReaders(createSettings()).readers.pictures!.read(PICTURE, controller.signal)).rejects.toBe(reason);
});

const readSpeech = (more: Partial<MediaSettings> = {}) => openMediaReaders(createSettings(more)).readers.speech!.read(SOUND, never);
const segments = [
  { start: 0, end: 2.5, text: " Good morning." },
  { start: 61.04, end: 63, text: " The ferry leaves at nine." },
];

it("a recording is sent as a form with its bytes, and returns times", async () => {
  server.script(() => ({ transcript: "Good morning. The ferry leaves at nine.", segments }));
  const before = server.requests.length;
  expect(await readSpeech()).toEqual({
    parts: [
      { startMs: 0, endMs: 2_500, text: " Good morning." },
      { startMs: 61_040, endMs: 63_000, text: " The ferry leaves at nine." },
    ],
    text: "Good morning. The ferry leaves at nine.",
    language: "en",
    seconds: 63,
    usage: { input: 0, output: 0 },
  });
  const [request] = server.requests.slice(before);
  expect(request).toMatchObject({ kind: "transcription", method: "POST" });
  expect(request!.headers.authorization).toBe(`Bearer ${KEY}`);
  const form = await new Response(new Uint8Array(request!.bytes), {
    headers: { "content-type": request!.headers["content-type"]! },
  }).formData();
  expect(Object.fromEntries([...form].filter(([, value]) => typeof value === "string"))).toEqual({
    model: "hearer",
    response_format: "verbose_json",
    "timestamp_granularities[]": "segment",
  });
  const file = form.get("file") as File;
  expect({ name: file.name, type: file.type }).toEqual({ name: "talk_one_.mp3", type: "audio/mpeg" });
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(SOUND.bytes);
});

it("a recording is requested again without timestamps if the model has none", async () => {
  server.script(({ bytes }) =>
    bytes.includes("verbose_json") ? { status: 400, body: { error: { message: "response_format" } } } : { transcript: "Just words." },
  );
  expect(await readSpeech()).toMatchObject({ parts: [], text: "Just words.", language: null, seconds: null });
});

it("a recording keeps the valid parts of an irregular response, and counts reported tokens", async () => {
  const odd = [
    null,
    5,
    "x",
    { start: -1, end: 2, text: "before the beginning" },
    { start: "4.5", end: "x", text: "as text" },
    { start: Number.MAX_VALUE, end: 1, text: 7 },
    { start: 9, text: "no end" },
    { text: "no start" },
  ];
  server.script(() => ({
    status: 200,
    body: { text: "t", segments: odd, language: "english", duration: "NaN", usage: { input_tokens: 5, output_tokens: 2 } },
  }));
  expect(await readSpeech()).toEqual({
    parts: [
      { startMs: 4_500, endMs: 4_500, text: "as text" },
      { startMs: 9_000, endMs: 9_000, text: "no end" },
    ],
    text: "t",
    language: null,
    seconds: null,
    usage: { input: 5, output: 2 },
  });
});

it.each([[{}], [[]], ["text"], [null], [{ text: 5 }], [{ segments: "x" }]])("a recording fails for the response %j", async (body) => {
  server.script(() => ({ status: 200, body: JSON.stringify(body) }));
  expect(await catchModelError(readSpeech())).toMatchObject({
    failure: "wrong_answer",
    message: "The model returned an invalid response. Check SPEECH_MODEL.",
  });
});

it.each([
  [403, "refused", "The model refused the key. Check SPEECH_API_KEY, or LLM_API_KEY where it is not set."],
  [400, "refused", "The model rejected the file. Check SPEECH_MODEL, and whether it supports files of this type and size."],
  [404, "refused", "The model was not found. Check SPEECH_MODEL and SPEECH_BASE_URL, or LLM_BASE_URL where it is not set."],
  [
    302,
    "refused",
    "The address of the model redirects elsewhere, which is not followed. Check SPEECH_BASE_URL, or LLM_BASE_URL where it is not set.",
  ],
  [503, "unreachable", "The model can't be reached. Check SPEECH_BASE_URL, or LLM_BASE_URL where it is not set, then retry."],
] as const)("a recording fails with a message for status %d", async (status, failure, message) => {
  server.script(() => ({ status, headers: { location: "http://127.0.0.1:9/" }, body: KEY }));
  expect(await catchModelError(readSpeech())).toMatchObject({ failure, message });
});

it("a recording goes to its own server if configured, which never gets the other key", async () => {
  const other = await startOpenAiServer(() => ({ transcript: "Here." }));
  expect(await readSpeech({ speechBaseUrl: other.url })).toMatchObject({ text: "Here." });
  expect(await readSpeech({ speechBaseUrl: other.url, speechApiKey: "sk-other" })).toMatchObject({ text: "Here." });
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, "Bearer sk-other"]);
  await other.close();
});

it("an unconfigured model reads nothing", () => {
  expect(openMediaReaders(createSettings({ visionModel: "", speechModel: "" })).readers).toEqual({ pictures: null, speech: null });
});
