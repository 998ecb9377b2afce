import { expect } from "vitest";
import { ingested, getCreated, newJob, newZone, T0 } from "../../support/boards.ts";
import { addLink, addText } from "../store-context.ts";
import { FAILURE, change } from "./bulk-change.ts";
import { test } from "../store-test.ts";

test("changes since a state of the board are complete after any change, including deletions", async (context) => {
  const { store, scope } = context;
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const [still, edited, deleted] = [await addText(context, "A"), await addText(context, "B"), await addText(context, "C")];
  const link = await addLink(context, "https://one.example/");
  const inZone = await addText(context, "D", { zoneId: zone.id });
  // Every change has the same time, so that times cannot identify changes.
  const changes = async (work: () => Promise<unknown>) => {
    const { content, existing } = await store.boards.revisions(scope.target);
    await work();
    const changedSince = { revision: content, sequence: content - existing };
    const { tiles } = await store.tiles.list(scope, { order: "asc", withText: false, changedSince }, null, 100, 1_000_000);
    return { changed: tiles.map(({ id }) => id), deleted: await store.tiles.deletedSince(scope, content, 10) };
  };
  expect(await changes(async () => {})).toEqual({ changed: [], deleted: [] });
  expect(await changes(() => store.tiles.update(scope, edited.id, { title: "E" }, T0))).toEqual({
    changed: [edited.id],
    deleted: [],
  });
  expect(await changes(() => store.tiles.remove(scope, deleted.id, T0))).toEqual({ changed: [], deleted: [deleted.id] });
  expect(await changes(() => store.tiles.restore(scope, deleted.id, newJob(), T0))).toEqual({ changed: [deleted.id], deleted: [] });
  const [job] = await store.queue.claim(9, 9, T0);
  expect(await changes(() => store.queue.retryLater(job!, FAILURE, T0, T0))).toEqual({ changed: [link.id], deleted: [] });
  const [again] = await store.queue.claim(9, 9, T0 + 1);
  expect(await changes(() => store.queue.fail(again!, FAILURE, T0))).toEqual({ changed: [link.id], deleted: [] });
  expect(await changes(() => store.tiles.retry(scope, link.id, newJob(), T0))).toEqual({ changed: [link.id], deleted: [] });
  const [last] = await store.queue.claim(9, 9, T0 + 1);
  expect(await changes(() => store.queue.complete(last!, ingested("Text"), T0))).toEqual({ changed: [link.id], deleted: [] });
  expect(await changes(() => store.zones.remove(scope, zone.id, T0))).toEqual({ changed: [], deleted: [inZone.id] });
  expect(await changes(() => store.zones.restore(scope, zone.id, () => newJob(), T0))).toEqual({ changed: [inZone.id], deleted: [] });
  const made3 = await changes(async () => {
    await addText(context, "F");
    const passing = await addText(context, "G");
    await store.tiles.remove(scope, passing.id, T0);
    await addText(context, "H", { externalId: "sync" });
    await addText(context, "I", { externalId: "sync" });
  });
  expect([made3.changed.length, made3.deleted.length]).toEqual([2, 1]);
  expect(await changes(() => change(context, { tileIds: [still.id, edited.id] }, { kind: "move", zoneId: zone.id }))).toEqual({
    changed: [still.id, edited.id],
    deleted: [],
  });
});

test("changes since a state of the board list no more deletions than asked for, oldest first", async (context) => {
  const { store, scope } = context;
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push((await addText(context, `Tile ${n}`)).id);
  const { content } = await store.boards.revisions(scope.target);
  for (const id of ids.toReversed()) await store.tiles.remove(scope, id, T0);
  expect(await store.tiles.deletedSince(scope, content, 3)).toEqual(ids.toReversed().slice(0, 3));
  expect(await store.tiles.deletedSince(scope, content + 1, 9)).toEqual(ids.toReversed().slice(1));
});
