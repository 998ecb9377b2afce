import { expect, test } from "vitest";
import { ByteShares } from "#http/request/byte-shares.ts";

const owner = (caller: string, business = "biz") => ({ caller, business });

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

test("bytes wait until there is room for them, or until they are not needed", async () => {
  const shares = new ByteShares(100);
  const held = shares.open(owner("one"));
  held.resize(20);
  const waiting = shares.open(owner("one"));
  const closed = shares.open(owner("one"));
  const results: (readonly [string, boolean])[] = [];
  const waits = [
    waiting.waitFor(20).then((isCounted) => results.push(["waiting", isCounted])),
    closed.waitFor(20).then((isCounted) => results.push(["closed", isCounted])),
  ];
  closed.close();
  await waits[1];
  held.close();
  await waits[0];
  expect(results).toEqual([
    ["closed", false],
    ["waiting", true],
  ]);
  expect(shares.total).toBe(20);
  waiting.close();
  expect(shares.total).toBe(0);
});
