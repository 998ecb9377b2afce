import { expect, test } from "vitest";
import { ByteShares } from "#http/request/byte-shares.ts";

const PATIENCE = { check: () => {}, checkMs: 60_000, mayExceed: true };

const owner = (caller: string, business = "biz") => [business, caller];

test("a caller gets a quarter, a business half, and callers without a key a quarter together", () => {
  const shares = new ByteShares(100);
  const [one, two, three] = ["one", "two", "three"].map((caller) => shares.open(owner(caller)));
  expect([one?.resize(20), two?.resize(20)]).toEqual([null, null]);
  expect(shares.findExceeded(owner("one"), 6)).toBe("caller");
  expect(three?.resize(11)).toBe("business");
  expect(three?.resize(10)).toBeNull();
  expect(shares.open(owner("other", "other")).resize(40)).toBeNull();
  expect(shares.open(owner("last", "last")).resize(11)).toBe("total");
  const [near, far] = ["address 1", "address 2"].map((caller) => new ByteShares(100).open(owner(caller, "")));
  expect([near?.resize(90), far?.resize(90)]).toEqual([null, null]);
});

test("the only bytes of all are never refused, and may change", () => {
  const shares = new ByteShares(100);
  const only = shares.open(owner("one"));
  expect([only.resize(500), only.resize(900), only.resize(200)]).toEqual([null, null, null]);
  expect(shares.total).toBe(200);
});

test("what is closed is not counted, whatever is called afterwards", () => {
  const shares = new ByteShares(100);
  const count = shares.open(owner("one"));
  count.resize(20);
  count.close();
  count.close();
  count.force(50);
  expect([shares.total, shares.holds(owner("one"))]).toEqual([0, false]);
});

test("a quarter is kept for businesses that hold little", () => {
  const shares = new ByteShares(1_600);
  const hold = (caller: string, business: string, bytes: number) => shares.open(owner(caller, business)).resize(bytes);
  expect([hold("one", "a", 400), hold("two", "a", 400), hold("three", "b", 400)]).toEqual([null, null, null]);
  expect([hold("four", "b", 1), hold("five", "c", 50), hold("six", "c", 50), hold("six", "c", 1)]).toEqual(["total", null, null, "total"]);
  expect([hold("seven", "d", 300), hold("eight", "e", 1)]).toEqual([null, "total"]);
});

test("a caller that holds little goes on while others of its business hold their share", () => {
  const shares = new ByteShares(6_400);
  const hold = (caller: string, business: string, bytes: number) => shares.open(owner(caller, business)).resize(bytes);
  expect([hold("one", "a", 1_600), hold("two", "a", 1_600)]).toEqual([null, null]);
  expect([hold("three", "a", 100), hold("three", "a", 1), hold("four", "a", 101)]).toEqual([null, "business", "business"]);
  // A quarter is kept for other businesses.
  for (let n = 0; n < 15; n++) expect(hold(`many ${n}`, "a", 100)).toBe(null);
  expect(hold("last", "a", 1)).not.toBe(null);
  expect(hold("one", "b", 400)).toBe(null);
});

test("of the bytes that wait, one at a time exceeds a share, in their order", async () => {
  const shares = new ByteShares(100);
  shares.open(owner("one")).resize(20);
  const counts = [1, 2, 3].map(() => shares.open(owner("one")));
  const passed: number[] = [];
  const waits = counts.map((count, index) => count.waitFor(20, PATIENCE).then(() => passed.push(index)));
  await waits[0];
  counts[0]?.force(15);
  expect([passed, shares.total]).toEqual([[0], 35]);
  counts[0]?.force(0);
  await waits[1];
  expect([passed, shares.total]).toEqual([[0, 1], 40]);
  counts[1]?.close();
  await waits[2];
  expect([passed, shares.total]).toEqual([[0, 1, 2], 40]);
});

test("bytes wait until they are not needed, or until a check ends the wait", async () => {
  const shares = new ByteShares(100);
  shares.open(owner("one")).resize(20);
  const [first, closed, late] = [1, 2, 3].map(() => shares.open(owner("one")));
  await first?.waitFor(20, PATIENCE);
  const wait = closed?.waitFor(20, PATIENCE);
  closed?.close();
  expect(await wait).toBe(false);
  const check = (): never => {
    throw new Error("too late");
  };
  await expect(late?.waitFor(20, { check, checkMs: 10, mayExceed: true })).rejects.toThrow("too late");
  first?.close();
  expect(shares.total).toBe(20);
});

test("bytes that may exceed nothing wait for room, those of the caller that holds least first", async () => {
  const shares = new ByteShares(160);
  const hold = (caller: string, bytes: number) => {
    const count = shares.open(owner(caller));
    expect(count.resize(bytes)).toBeNull();
    return count;
  };
  // Half of all, which is the share of a business.
  const full = hold("full", 40);
  hold("much", 30);
  hold("little", 10);
  const passed: string[] = [];
  const wait = async (caller: string) => {
    await shares.open(owner(caller)).waitFor(10, { check: () => {}, checkMs: 60_000 });
    passed.push(`${caller} of ${shares.total}`);
  };
  const [much, little] = [wait("much"), wait("little")];
  full.resize(31);
  expect(shares.total).toBe(71);
  full.resize(30);
  await little;
  full.resize(20);
  await much;
  expect(passed).toEqual(["little of 80", "much of 80"]);
});
