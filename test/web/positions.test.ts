import * as fc from "fast-check";
import { expect, it } from "vitest";
import { comparePositions, planPositions } from "../../web/src/board/model/order.ts";

const at = (age: number): string => new Date(1_700_000_000_000 + age * 1_000).toISOString();
const placed = (id: string, sortOrder: number, age = sortOrder) => ({ id, sortOrder, createdAt: at(age) });

/** The order of a column after the planned writes. */
function after(siblings: readonly ReturnType<typeof placed>[], moved: readonly ReturnType<typeof placed>[], index: number): string {
  const writes = planPositions(siblings, moved, index);
  const all = [...siblings, ...moved].map((one) => ({ ...one, sortOrder: writes.get(one.id) ?? one.sortOrder }));
  return all
    .sort(comparePositions)
    .map(({ id }) => id)
    .join("");
}

const line = [placed("a", 1), placed("b", 2), placed("c", 3)];

it("positions for moved tiles are found between neighbours without changing them", () => {
  expect(after(line, [placed("x", 9)], 1)).toBe("axbc");
  expect(planPositions(line, [placed("x", 9)], 1).size).toBe(1);
  expect(planPositions([placed("b", 2), placed("c", 3)], [placed("a", 1)], 1).size).toBe(1);
});

it("positions for moved tiles are found at both ends and in an empty column", () => {
  expect(after(line, [placed("x", 9)], 0)).toBe("xabc");
  expect(after(line, [placed("x", 0)], 3)).toBe("abcx");
  expect(planPositions([], [placed("x", 5)], 0)).toEqual(new Map([["x", 5]]));
});

it("positions for moved tiles do not shift tiles into those that are not loaded", () => {
  const line = [placed("a", 1), placed("b", 2), placed("c", 3), placed("d", 4)];
  expect([...planPositions(line, [placed("x", 9)], 3).keys()]).toContain("x");
  const old = placed("x", 0, -5);
  expect(planPositions(line, [old], 3)).toEqual(new Map([["x", 4]]));
  const newest = placed("x", 0, 50);
  const same = [placed("a", 1, 1), placed("b", 1, 2), placed("c", 1, 60)];
  expect(planPositions(same, [placed("x", 0, 1.5)], 2)).toEqual(
    new Map([
      ["x", 2],
      ["c", 3],
    ]),
  );
  expect([...planPositions(same, [placed("x", 0, 1.5)], 2, true).keys()].toSorted()).toEqual(["a", "b", "x"]);
  expect(planPositions(same, [newest], 2)).toEqual(new Map([["x", 1]]));
});

it("positions for moved tiles keep the order of several tiles in crowded columns", () => {
  const tile = fc.record({ sortOrder: fc.integer({ min: 0, max: 6 }), age: fc.integer({ min: 0, max: 6 }) });
  fc.assert(
    fc.property(fc.array(tile, { maxLength: 12 }), fc.array(tile, { minLength: 1, maxLength: 4 }), fc.nat(), (there, coming, where) => {
      const ages = new Set<number>();
      const siblings = there.map(({ sortOrder }, n) => placed(String.fromCharCode(97 + n), sortOrder, n)).sort(comparePositions);
      const moved = coming.map(({ sortOrder, age }, n) => placed(String.fromCharCode(65 + n), sortOrder, 50 + age * 5 + n));
      for (const one of moved) ages.add(Date.parse(one.createdAt));
      fc.pre(ages.size === moved.length);
      const index = where % (siblings.length + 1);
      const names = siblings.map(({ id }) => id);
      names.splice(index, 0, ...moved.map(({ id }) => id));
      expect(after(siblings, moved, index)).toBe(names.join(""));
    }),
  );
});
