import { listen, type LocalServer } from "../../e2e/support/servers.ts";

export type HeldModel = LocalServer & {
  /** Sends the rest of the answers that wait. */
  release(): void;
};

/** A language model that streams `first` of the prompt, and `rest` only when it is released. */
export async function openHeldModel(first: (prompt: string) => string, rest: string): Promise<HeldModel> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const server = await listen((_request, response, body) => {
    const { messages } = JSON.parse(body.toString()) as { messages: { content: unknown }[] };
    const prompt = messages.map(({ content }) => JSON.stringify(content)).join("\n");
    const chunk = (delta: object, reason: string | null) =>
      response.write(
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "held", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
      );
    response.writeHead(200, { "content-type": "text/event-stream" });
    chunk({ role: "assistant", content: first(prompt) }, null);
    void released.then(() => {
      chunk({ content: rest }, null);
      chunk({}, "stop");
      response.end("data: [DONE]\n\n");
    });
  });
  return { ...server, release };
}
