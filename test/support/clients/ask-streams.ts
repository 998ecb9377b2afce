import type { TestService } from "../service.ts";

export type SentEvent = { readonly event: string; readonly data: any; /** Milliseconds after the call. */ readonly at: number };

/** Parses the text of a stream into events, without comments. */
export const parseEvents = (text: string): { readonly event: string; readonly data: any }[] =>
  text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });

/** Asks a question as a stream, and records when each event arrived. */
export async function askStreamed(
  service: Pick<TestService, "url" | "key">,
  board: string,
  question: string,
  signal?: AbortSignal,
): Promise<SentEvent[]> {
  const started = performance.now();
  const response = await fetch(`${service.url}/api/board/${board}/ask`, {
    method: "POST",
    headers: { "x-api-key": service.key, "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ question }),
    ...(signal === undefined ? {} : { signal }),
  });
  const events: SentEvent[] = [];
  let rest = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream() as any) as any as AsyncIterable<string>) {
    rest += piece;
    const end = rest.lastIndexOf("\n\n");
    if (end < 0) continue;
    for (const event of parseEvents(rest.slice(0, end + 2))) events.push({ ...event, at: performance.now() - started });
    rest = rest.slice(end + 2);
  }
  return events;
}
