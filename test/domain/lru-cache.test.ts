import { expect, test } from "vitest";
import { LruCache } from "#domain/core/lru-cache.ts";

test("The least recently used entries leave first, and each is reported.", () => {
  const removed: string[] = [];
  const cache = new LruCache<string, number>(3, (key) => removed.push(key));
  for (const [i, key] of ["a", "b", "c"].entries()) cache.set(key, i);
  expect(cache.get("a")).toBe(0);
  expect(cache.peek("b")).toBe(1);
  cache.set("d", 3);
  expect(removed).toEqual(["b"]);
  expect([cache.size, cache.cost]).toEqual([3, 3]);
  cache.delete("b");
  cache.delete("c");
  cache.clear();
  expect(removed).toEqual(["b", "c", "a", "d"]);
  expect([cache.size, cache.cost]).toEqual([0, 0]);
});

test("A cost in bytes bounds the sum, and what alone is too large is not kept.", () => {
  const cache = new LruCache<string, string>(10);
  cache.set("a", "x", 4);
  cache.set("b", "x", 4);
  cache.set("a", "y", 6);
  expect([cache.peek("a"), cache.cost]).toEqual(["y", 10]);
  cache.set("c", "z", 1);
  expect([cache.peek("b"), cache.peek("c"), cache.cost]).toEqual([undefined, "z", 7]);
  cache.set("c", "huge", 11);
  expect([cache.peek("c"), cache.cost]).toEqual([undefined, 6]);
});
