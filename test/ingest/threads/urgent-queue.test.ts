import { expect, it } from "vitest";
import { createUrgentQueue } from "#ingest/threads/urgent-queue.ts";

const createQueue = () => createUrgentQueue<string>((item) => item.startsWith("urgent"));

it("a queue with urgent items takes those first, and another one at every fourth turn", () => {
  const queue = createQueue();
  for (let n = 0; n < 3; n++) queue.add("a", `other ${n}`);
  for (let n = 0; n < 7; n++) queue.add("a", `urgent ${n}`);
  const taken = Array.from({ length: 10 }, () => queue.take()?.split(" ")[0]);
  expect(taken).toEqual(["urgent", "urgent", "urgent", "other", "urgent", "urgent", "urgent", "other", "urgent", "other"]);
  expect(queue.take()).toBeUndefined();
});

it("a queue with urgent items is fair among the owners of both kinds", () => {
  const queue = createQueue();
  for (let n = 0; n < 4; n++) queue.add("many", `urgent many ${n}`);
  queue.add("one", "urgent one");
  for (let n = 0; n < 4; n++) queue.add("many", `other many ${n}`);
  queue.add("one", "other one");
  const taken = Array.from({ length: 10 }, () => queue.take());
  expect(taken.indexOf("urgent one")).toBeLessThan(2);
  expect(taken.indexOf("other one")).toBeLessThan(taken.indexOf("other many 1"));
});

it("a queue with urgent items takes no item that may not start, and removes items of both kinds", () => {
  const queue = createQueue();
  queue.add("a", "urgent large");
  queue.add("a", "other small");
  expect(queue.take((item) => item.endsWith("small"))).toBe("other small");
  expect(queue.remove("urgent large")).toBe(true);
  expect(queue.remove("urgent large")).toBe(false);
  queue.add("a", "other 1");
  queue.add("a", "urgent 1");
  expect(queue.clear().sort()).toEqual(["other 1", "urgent 1"]);
});
