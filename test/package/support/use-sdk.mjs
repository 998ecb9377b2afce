/**
 * What a program does with the SDK: finds the board, creates a tile, lists, asks, handles an error, verifies an event. Every runtime
 * runs this file.
 *
 * @param {typeof import("@tessera-board/sdk")} sdk
 * @param {{ baseUrl: string, apiKey: string, event: { body: string, headers: Record<string, string>, secret: string } }} options
 */
export async function useSdk({ createClient, verifyWebhook, NotFoundError }, { baseUrl, apiKey, event }) {
  const tessera = createClient({ baseUrl, apiKey });
  const [board] = await tessera.boards.list();
  const { id } = await tessera.tiles.create(board.id, { title: "Lighthouse", content: "The lighthouse of Nordholm was built in 1887." });
  const titles = [];
  for await (const tile of tessera.tiles.iterate(board.id, { limit: 1 })) titles.push(tile.title);
  let streamed = "";
  const { answered, citations } = await tessera.ask(board.id, "When was the lighthouse of Nordholm built?", {
    onText: (text) => (streamed += text),
  });
  await tessera.tiles.delete(id);
  const error = await tessera.tiles.get(id).catch((thrown) => thrown);
  const verified = await verifyWebhook(event);
  const forged = await verifyWebhook({ ...event, body: event.body.replace("1887", "1888") }).catch((thrown) => thrown.reason);
  return {
    titles,
    answered,
    quote: citations[0]?.quote,
    hasStreamed: streamed.includes("1887"),
    isNotFound: error instanceof NotFoundError,
    message: error.message,
    event: verified.event,
    forged,
  };
}
