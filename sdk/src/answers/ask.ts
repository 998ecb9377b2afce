import type { Answer, SearchResult } from "../generated/schemas.ts";
import { type TesseraError, badResponse } from "../transport/errors.ts";
import type { QueryOf } from "../transport/operation.ts";
import { requireList } from "../transport/paginate.ts";
import { isEventStream, readEvents } from "../transport/stream.ts";
import { type CallOptions, type Request, type Send, readJson, splitOptions } from "../transport/transport.ts";

export type AskOptions = CallOptions & {
  /** Adds how each passage was ranked and why it was used or not. */
  readonly explain?: boolean;
  /** Called with the next part of the answer while it is written; may return a promise. The returned answer replaces all parts. */
  readonly onText?: (text: string) => unknown;
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

async function readAnswer(response: Response, onText: (text: string) => unknown): Promise<Answer> {
  if (!isEventStream(response)) return readJson<Answer>(response);
  for await (const { event, data } of readEvents(response)) {
    if (event === "token") await onText(stringAt(data, "text") ?? "");
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
  return requireList(results);
}

const incompleteAnswer = (response: Response, message = "The answer is incomplete. Ask again.", code?: string): TesseraError =>
  badResponse(response, message, { code: code ?? null });

function stringAt(data: object, name: string): string | undefined {
  const value: unknown = Reflect.get(data, name);
  return typeof value === "string" ? value : undefined;
}
