import { setTimeout as sleep } from "node:timers/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startOrigin } from "./origin.ts";

/** A received request. */
export type WireRequest = {
  readonly kind: "chat" | "embeddings" | "transcription" | "other";
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The parsed JSON body. The form of a transcription is in `bytes`. */
  readonly json: any;
  readonly bytes: Buffer;
  /** The text of the system messages, and of all other messages, of a chat. */
  readonly system: string;
  readonly prompt: string;
};

/** The scripted response to one request. */
export type WireReply =
  /** A chat completion after `waitMs`. If the request asks for a stream, `text` is sent in parts with pauses of `pieceMs`. */
  | {
      readonly text: string | Iterable<string>;
      readonly waitMs?: number;
      readonly pieceMs?: number;
      readonly finish?: "stop" | "length" | "content_filter";
      /** null if the provider reports no usage. */
      readonly usage?: { readonly input: number; readonly output: number } | null;
      /** After the last part, `cut` aborts the connection and `hang` leaves it open. */
      readonly end?: "whole" | "cut" | "hang";
    }
  /** One vector for each input. */
  | { readonly vectors: (input: string) => readonly number[] }
  /** A transcription, with `segments` in the format of `verbose_json`. */
  | { readonly transcript: string; readonly segments?: readonly { readonly start: number; readonly end: number; readonly text: string }[] }
  /** Any other response. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | object; readonly waitMs?: number };

export type Script = (request: WireRequest) => WireReply | Promise<WireReply>;

export type OpenAiServer = {
  /** The base URL, as for LLM_BASE_URL. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly WireRequest[];
  /** The number of requests whose client disconnected before the end of the response. */
  readonly cancelled: () => number;
  /** Replaces the script. */
  script(next: Script): void;
  close(): Promise<void>;
};

/** Starts a server on loopback with the OpenAI wire format: chat completions (JSON and SSE), embeddings and audio transcriptions. */
export async function startOpenAiServer(first: Script): Promise<OpenAiServer> {
  const requests: WireRequest[] = [];
  let script = first;
  let cancelled = 0;
  const origin = await startOrigin((incoming, response) => {
    response.on("close", () => {
      if (!response.writableFinished) cancelled++;
    });
    answer(incoming, response).catch((error: unknown) => {
      // The failure of a script must be visible in the test, not as a failure of the model.
      if (!response.headersSent) response.writeHead(418).end(String(error));
      else response.destroy();
    });
  });
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    requests.push(request);
    await send(request, await script(request), response);
  };
  return {
    url: `${origin.url}/v1`,
    port: origin.port,
    requests,
    cancelled: () => cancelled,
    script(next) {
      script = next;
    },
    close: origin.close,
  };
}

const KINDS: readonly (readonly [RegExp, WireRequest["kind"]])[] = [
  [/\/chat\/completions$/, "chat"],
  [/\/embeddings$/, "embeddings"],
  [/\/audio\/transcriptions$/, "transcription"],
];

async function readRequest(incoming: IncomingMessage): Promise<WireRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const path = incoming.url ?? "/";
  let json: any;
  try {
    json = JSON.parse(bytes.toString("utf8"));
  } catch {
    json = undefined;
  }
  const messages: { role: string; content: unknown }[] = Array.isArray(json?.messages) ? json.messages : [];
  const joinTexts = (isIncluded: (role: string) => boolean): string =>
    messages
      .filter(({ role }) => isIncluded(role))
      .map(({ content }) => contentText(content))
      .join("\n");
  const isSystem = (role: string): boolean => role === "system" || role === "developer";
  return {
    kind: KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? "other",
    method: incoming.method ?? "",
    path,
    headers: incoming.headers,
    json,
    bytes,
    system: joinTexts(isSystem),
    prompt: joinTexts((role) => !isSystem(role)),
  };
}

const contentText = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("")
    : String(content);

async function send(request: WireRequest, reply: WireReply, response: ServerResponse): Promise<void> {
  if ("status" in reply) {
    await sleep(reply.waitMs ?? 0);
    const body = typeof reply.body === "object" ? JSON.stringify(reply.body) : (reply.body ?? "");
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers }).end(body);
    return;
  }
  if ("text" in reply) return request.json?.stream === true ? streamChat(request, reply, response) : sendChat(request, reply, response);
  if ("vectors" in reply) {
    const inputs: string[] = [request.json?.input ?? []].flat();
    const data = inputs.map((input, index) => ({ object: "embedding", index, embedding: reply.vectors(input) }));
    return sendJson(response, { object: "list", data, model: request.json?.model, usage: { prompt_tokens: 1, total_tokens: 1 } });
  }
  const { transcript: text, segments } = reply;
  return sendJson(response, segments === undefined ? { text } : { text, language: "en", duration: segments.at(-1)?.end ?? 0, segments });
}

const CUT_MS = 50;

type Chat = Extract<WireReply, { readonly text: unknown }>;

const envelope = (request: WireRequest, object: string) => ({
  id: "chatcmpl-1",
  object,
  created: 1_767_225_600,
  model: request.json?.model ?? "model",
});
const formatUsage = ({ usage }: Chat) =>
  usage === null
    ? undefined
    : {
        prompt_tokens: usage?.input ?? 100,
        completion_tokens: usage?.output ?? 20,
        total_tokens: (usage?.input ?? 100) + (usage?.output ?? 20),
      };

async function sendChat(request: WireRequest, reply: Chat, response: ServerResponse): Promise<void> {
  await sleep(reply.waitMs ?? 0);
  const content = typeof reply.text === "string" ? reply.text : [...reply.text].join("");
  if (reply.end === "hang") return;
  const message = { role: "assistant", content };
  const choices = [{ index: 0, message, finish_reason: reply.finish ?? "stop", logprobs: null }];
  const body = JSON.stringify({ ...envelope(request, "chat.completion"), choices, usage: formatUsage(reply) });
  if (reply.end === "cut") {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.write(body.slice(0, body.length / 2));
    await sleep(CUT_MS);
    response.destroy();
    return;
  }
  response.writeHead(200, { "content-type": "application/json" }).end(body);
}

async function streamChat(request: WireRequest, reply: Chat, response: ServerResponse): Promise<void> {
  const event = async (data: object | string): Promise<void> => {
    const canWrite = response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
    if (!canWrite && !response.destroyed) await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
  };
  const chunk = (delta: object, finish: string | null) =>
    event({ ...envelope(request, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }] });
  await sleep(reply.waitMs ?? 0);
  response.writeHead(200, { "content-type": "text/event-stream" });
  await chunk({ role: "assistant", content: "" }, null);
  const pieces = typeof reply.text === "string" ? (reply.text.match(/\S*\s*/g) ?? []) : reply.text;
  for (const content of pieces) {
    if (response.destroyed) return;
    if (content !== "") await chunk({ content }, null);
    if (reply.pieceMs !== undefined) await sleep(reply.pieceMs);
  }
  if (reply.end === "hang") return;
  if (reply.end === "cut") {
    // Let the written data be sent first.
    await sleep(CUT_MS);
    response.destroy();
    return;
  }
  await chunk({}, reply.finish ?? "stop");
  const usage = formatUsage(reply);
  if (usage !== undefined) await event({ ...envelope(request, "chat.completion.chunk"), choices: [], usage });
  await event("[DONE]");
  response.end();
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
