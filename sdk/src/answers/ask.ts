import type { Answer, SearchResult } from "../generated/schemas.ts";
import { TesseraError } from "../transport/errors.ts";
import type { QueryOf } from "../transport/operation.ts";
import { readEvents } from "../transport/stream.ts";
import { type CallOptions, type Request, type Send, readJson, splitOptions } from "../transport/transport.ts";

export type AskOptions = CallOptions & {
  /** Adds how each passage was ranked and why it was used or not. */
  readonly explain?: boolean;
  /** Called with the next part of the answer while it is written. The returned answer replaces all parts. */
  readonly onText?: (text: string) => void;
};

export type SearchFilter = Omit<QueryOf<"GET /api/board/{boardId}/search">, "q">;

/** Answers a question from the connected content of a board, in one piece or, with `onText`, as a stream. */
export async function ask(request: Request, boardId: string, question: string, options: AskOptions = {}): Promise<Answer> {
  const {
    call,
    rest: { explain, onText },
  } = splitOptions(options);
  const input = { ...call, path: { boardId }, query: explain ? { explain: true } : {}, body: { question } };
  if (onText === undefined) return request("POST /api/board/{boardId}/ask", input, readJson<Answer>);
  const headers = { accept: "text/event-stream" };
  return request("POST /api/board/{boardId}/ask", { ...input, headers }, (response) => readAnswer(response, onText), true);
}

async function readAnswer(response: Response, onText: (text: string) => void): Promise<Answer> {
  const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  if (!isStream || response.body === null) return readJson<Answer>(response);
  for await (const { event, data } of readEvents(response.body)) {
    if (event === "token") onText(stringAt(data, "text") ?? "");
    if (event === "error") throw incompleteAnswer(response, stringAt(data, "error"), stringAt(data, "code"));
    if (event === "done") return data as Answer;
  }
  throw incompleteAnswer(response);
}

export async function search(
  send: Send,
  boardId: string,
  q: string,
  options: CallOptions & SearchFilter,
): Promise<readonly SearchResult[]> {
  const { call, rest } = splitOptions(options);
  const { results } = await send("GET /api/board/{boardId}/search", { ...call, path: { boardId }, query: { q, ...rest } });
  return results;
}

const incompleteAnswer = (response: Response, message = "The answer is incomplete. Ask again.", code?: string): TesseraError =>
  new TesseraError(response.status, message, response.headers.get("x-request-id"), null, { code: code ?? null });

function stringAt(data: unknown, name: string): string | undefined {
  const value: unknown = typeof data === "object" && data !== null ? Reflect.get(data, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
