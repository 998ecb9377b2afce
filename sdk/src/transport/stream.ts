import { TesseraError } from "./errors.ts";

export type ServerEvent = { readonly event: string; readonly data: unknown };

/** Reads server-sent events (WHATWG HTML, 9.2) with JSON data until the stream ends. Ignores comments and events without data. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = lines.pop() ?? "";
      for (const block of lines) {
        const event = parseEvent(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    // Leaving the loop early cancels the call, so that the server stops working on it.
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ""] = /^(event|data)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  if (data.length === 0) return undefined;
  try {
    return { event, data: JSON.parse(data.join("\n")) };
  } catch (error) {
    throw new TesseraError(200, "The service sent an event that can't be read.", null, null, { cause: error });
  }
}
