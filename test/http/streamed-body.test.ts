import { expect, test } from "vitest";
import { ByteShares } from "#http/request/byte-shares.ts";
import { type BodyPart, type PartCounter, StreamedBody } from "#http/response/streamed-body.ts";
import { createWorkQueue } from "#service/work-queue.ts";

const FIXED_BYTES = 750_000;
const PART_BYTES = 600_000;
const PARTS = 2;

async function* yieldParts(): AsyncGenerator<BodyPart> {
  for (let sent = 0; sent < PARTS; sent++) yield async () => "x".repeat(PART_BYTES);
}

test.each([
  ["one caller", () => ["biz", "key"], 42],
  ["one business", (index: number) => ["biz", `key ${index % 4}`], 85],
  ["several businesses", (index: number) => [`biz ${index % 2}`, `key ${index % 4}`], 128],
])("streams of %s that fill its share all end, and exceed it by one part at most", async (_name, ownerOf, streams) => {
  const shares = new ByteShares(128_000_000);
  const turns = createWorkQueue();
  let most = 0;
  const counts = Array.from({ length: streams }, (_, index) => shares.open(ownerOf(index)));
  for (const count of counts) expect(count.resize(FIXED_BYTES)).toBeNull();
  const filled = shares.total;
  const lengths = counts.map(async (count) => {
    const read: PartCounter["read"] = async (render) => {
      const rendered = await turns.run(render, { isAccepted: true });
      most = Math.max(most, shares.total);
      return rendered;
    };
    let length = 0;
    for await (const piece of new StreamedBody("", yieldParts()).open({ count, fixedBytes: FIXED_BYTES, read })) length += piece.length;
    count.close();
    return length;
  });
  expect(await Promise.all(lengths)).toEqual(Array.from({ length: streams }, () => PARTS * PART_BYTES));
  expect(most).toBeLessThan(filled + 4 * PART_BYTES);
  expect(shares.total).toBe(0);
});

test("a stream that waits too long for room fails, so that it does not look complete", async () => {
  const count = {
    ...new ByteShares(1).open(["biz", "key"]),
    resize: () => "total" as const,
    waitFor: () => Promise.reject(new Error("late")),
  };
  const stream = new StreamedBody("start", yieldParts()).open({ count, fixedBytes: 1, read: (render) => render() });
  await expect(stream.toArray()).rejects.toThrow("late");
});
