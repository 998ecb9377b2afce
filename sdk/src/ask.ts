import { TesseraError } from "./transport/errors.ts";
import { readEvents } from "./transport/stream.ts";
import { type CallOptions, jsonOf, type Request } from "./transport/transport.ts";
import type { Answer } from "./types.ts";

export type AskOptions = CallOptions & {
  /** Adds how each passage was ranked and why it was used or not. */
  readonly explain?: boolean;
  /** Called with the next words of the answer while it is written; what the call answers stands in place of them all. */
  readonly onText?: (text: string) => void;
};

/** Answers a question from a board's connected content, in one piece or, with `onText`, as it is written. */
export async function ask(request: Request, boardId: string, question: string, options: AskOptions = {}): Promise<Answer> {
  const { explain, onText, signal } = options;
  const response = await request("POST", ["api", "board", boardId, "ask"], {
    query: explain ? { explain: true } : {},
    body: { question },
    headers: { accept: onText === undefined ? "application/json" : "text/event-stream" },
    ...(signal && { signal }),
  });
  const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  if (!isStream || response.body === null) return jsonOf<Answer>(response);
  for await (const { event, data } of readEvents(response.body)) {
    if (event === "token") onText?.(textOf(data, "text") ?? "");
    if (event === "error") throw brokenOff(response, textOf(data, "error"));
    if (event === "done") return data as Answer;
  }
  throw brokenOff(response);
}

const brokenOff = (response: Response, message = "The answer broke off. Ask again."): TesseraError =>
  new TesseraError(response.status, message, response.headers.get("x-request-id"), null);

function textOf(data: unknown, name: string): string | undefined {
  const value: unknown = typeof data === "object" && data !== null ? Reflect.get(data, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
