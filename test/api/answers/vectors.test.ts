import { expect, it } from "vitest";
import { toBinaryEmbedding } from "#retrieval/semantic/binary-embedding.ts";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ EMBEDDINGS: "local" });

const waiting = async (): Promise<number> =>
  Number(/^tessera_index_pending (\d+)$/m.exec((await service.call("GET", "/metrics")).text)?.[1] ?? Number.NaN);

/** Waits until every tile is indexed, including vectors. */
async function settle(): Promise<void> {
  for (const until = Date.now() + 40_000; Date.now() < until;) {
    if ((await waiting()) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Tiles still wait for the index.");
}

/** The tiles whose passages are nearest to a question, nearest first. */
async function nearest(question: string): Promise<string[]> {
  const { store, embedder } = service.appContext.deps;
  const [vector] = await embedder!.embed([question], { isUrgent: true, signal: new AbortController().signal });
  const found = await store.vectors.nearest(service.businessId, service.boardId, toBinaryEmbedding(vector!), 9, embedder!.model);
  const documents = found.map(({ document }) => document);
  return (await store.search.connectedChunks(service.businessId, service.boardId, documents)).map(({ tileId }) => tileId);
}

it("vectors of tiles are computed in the background, count as pending until then, follow changes, and exist for supported languages only", async () => {
  const add = async (content: string): Promise<string> =>
    (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content } })).json.tile.id;
  const ships = await add("Vessels may enter the port from six in the morning. The lock closes at dusk.");
  const cake = await add("Whisk the eggs with sugar and bake the sponge until golden.");
  const german = await add("Die Schiffe dürfen ab sechs Uhr in den Hafen einlaufen, und die Schleuse schließt am Abend.");
  expect(await waiting()).toBeGreaterThan(0);
  await settle();
  expect((await nearest("When are ships allowed into the harbour?"))[0]).toBe(ships);
  expect((await nearest("How do I make a cake?"))[0]).toBe(cake);
  expect(await nearest("anything")).not.toContain(german);

  await service.call("PATCH", `/api/board/tiles/${ships}`, { body: { content: "The museum shows paintings of the last century." } });
  await service.call("DELETE", `/api/board/tiles/${cake}`);
  await settle();
  expect(await nearest("Where can I see art?")).toEqual([ships]);
});
