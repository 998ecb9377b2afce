import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type TestService, startTestService } from "../../../support/service.ts";

export let service: TestService;

export type Stream = {
  readonly status: number;
  /** Name and data of the next event; null once the stream has ended. */
  next(): Promise<{ event: string; data: any } | null>;
  close(): void;
};

/** Opens the stream, which is closed with the test. */
export async function follow(
  headers: Record<string, string> = { "x-api-key": service.key },
  of = service,
  boardId = of.boardId,
): Promise<Stream> {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const response = await fetch(`${of.url}/api/board/${boardId}/events`, { headers, signal: ended.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status: response.status,
    async next() {
      for (;;) {
        const match = /^event: (\w+)\ndata: (.*)\n\n/m.exec(text);
        if (match !== null) {
          text = text.slice(match.index + match[0].length);
          return { event: match[1]!, data: JSON.parse(match[2]!) };
        }
        const { done, value } = await reader.read();
        if (done) return null;
        text += value;
      }
    },
    close: () => ended.abort(),
  };
}

/** Registers the hooks that set up and close what the tests of a file share. */
export function useEventStreams(): void {
  beforeAll(async () => {
    service = await startTestService({ ROLE: "api" });
  });
  afterAll(() => service.stop());
}
