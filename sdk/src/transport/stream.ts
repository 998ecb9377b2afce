import { badResponse, throwConnectionError } from "./errors.ts";

export type ServerEvent = { readonly event: string; readonly data: object };

export const isEventStream = ({ headers }: Response): boolean => /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");

/**
 * Reads server-sent events (WHATWG HTML, 9.2) with JSON objects until the stream ends. Ignores comments and events without data. Throws a
 * `TesseraError` if the response is something else.
 */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  if (!isEventStream(response) || response.body === null) {
    await response.body?.cancel();
    throw badResponse(response, "The answer is not an event stream: is baseUrl the service's address?");
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(throwConnectionError);
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = lines.pop() ?? "";
      for (const block of lines) {
        const event = parseEvent(response, block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    // Leaving the loop early cancels the call, so that the server stops working on it.
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(response: Response, block: string): ServerEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ""] = /^(event|data)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  if (data.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(data.join("\n"));
    if (typeof value === "object" && value !== null) return { event, data: value };
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw badResponse(response, "The service sent an event that can't be read.");
}
