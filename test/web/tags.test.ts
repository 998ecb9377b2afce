import { expect, it } from "vitest";
import { splitTags } from "../../web/src/ui/tags/split-tags.ts";
import { countTags, getTagColor } from "../../web/src/ui/tags/tags.ts";

it("a tag has the same colour in each spelling, and numbered tags have different ones", () => {
  expect(getTagColor("Kai")).toBe(getTagColor("kAI"));
  expect(getTagColor("É")).toBe(getTagColor("e\u0301"));
  for (const name of ["label", "quarterly report", "q"]) {
    const colors = new Set(Array.from({ length: 16 }, (_, index) => getTagColor(`${name} ${index + 1}`)));
    expect(colors.size).toBeGreaterThan(4);
  }
});

it("typed tags are separated by commas, each once in its first spelling", () => {
  expect(splitTags(" a , B,,A, b c ", [])).toEqual({ tags: ["a", "B", "b c"], problem: null });
  expect(splitTags(" , ", []).problem).toBe("Enter a tag.");
  expect(splitTags("😀".repeat(100), []).problem).toBeNull();
  expect(splitTags("😀".repeat(101), []).problem).toBe("A tag has at most 100 characters.");
});

it("no more tags are added than a tile may have", () => {
  const list = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `t${index}`);
  expect(splitTags(`${list(50).join()},T0`, [{ tags: [] }]).problem).toBeNull();
  expect(splitTags(list(51).join(), [{ tags: [] }]).problem).toBe("These are 51 tags. A tile has at most 50.");
  expect(splitTags("a,b", [{ tags: list(49) }]).problem).toBe("A tile has at most 50 tags. Remove some first.");
  expect(splitTags("a,T1", [{ tags: list(49) }]).problem).toBeNull();
  // The server tags the tiles that have room, and says how many have none.
  expect(splitTags("a", [{ tags: list(50) }, { tags: [] }]).problem).toBeNull();
  expect(splitTags("a", [{ tags: list(50) }, { tags: list(50) }]).problem).toBe("A tile has at most 50 tags. Remove some first.");
});

it("tags of tiles are counted without regard to case, the most frequent first", () => {
  const tiles = [{ tags: ["item 10", "Kai"] }, { tags: ["item 2"] }, { tags: ["kai"] }, { tags: [] }];
  expect(countTags(tiles)).toEqual([
    { tag: "Kai", count: 2 },
    { tag: "item 2", count: 1 },
    { tag: "item 10", count: 1 },
  ]);
});
