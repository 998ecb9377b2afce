import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { createLogDestination } from "#composition/log/log-destination.ts";
import { makeFolder } from "../e2e/support/process.ts";

const folder = makeFolder();
afterAll(() => folder.remove());

const formatLoss = (count: number): string => `lost ${count}\n`;
const nextTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 300_000, interval: 5 });

it("the log destination writes lines in order", async () => {
  const file = folder.path("plain.log");
  const fd = openSync(file, "w");
  const destination = createLogDestination({ fd, describeLoss: formatLoss });
  for (let n = 0; n < 1_000; n++) destination.write(`line ${n} 🌊\n`);
  const expected = Array.from({ length: 1_000 }, (_, n) => `line ${n} 🌊\n`).join("");
  await until(() => expect(readFileSync(file, "utf8").length).toBe(expected.length));
  closeSync(fd);
  expect(readFileSync(file, "utf8")).toBe(expected);
  expect(destination.dropped()).toBe(0);
});

it("the log destination drops and counts lines that a full device rejects, and never throws", async () => {
  const fd = openSync("/dev/full", "w");
  const destination = createLogDestination({ fd, describeLoss: formatLoss });
  destination.write("one\ntwo\n");
  await until(() => expect(destination.dropped()).toBe(2));
  destination.write("three\n");
  await until(() => expect(destination.dropped()).toBe(3));
  destination.write("four\n");
  destination.flushSync();
  closeSync(fd);
});

it("the log destination reports the number of lost lines once writing works again, and ends a truncated line", async () => {
  const written: string[] = [];
  // Accepts five bytes, fails twice, and then accepts everything.
  const outcomes: (number | Error)[] = [5, new Error("ENOSPC"), new Error("ENOSPC")];
  const destination = createLogDestination({
    fd: -1,
    describeLoss: formatLoss,
    write(_fd, buffer, offset, length, _position, done) {
      const outcome = outcomes.shift() ?? length;
      const count = typeof outcome === "number" ? outcome : 0;
      written.push(buffer.toString("utf8", offset, offset + count));
      setImmediate(() => (typeof outcome === "number" ? done(null, count) : done(outcome, 0)));
    },
  });
  destination.write("first\n");
  await nextTick();
  destination.write("second\n");
  await until(() => expect(destination.dropped()).toBe(2));
  destination.write("third\n");
  await nextTick();
  destination.write("fourth\n");
  await until(() => expect(written.join("")).toBe("first\nthird\nlost 2\nfourth\n"));
});

it("the log destination waits for a full pipe", async () => {
  const written: string[] = [];
  let isFull = true;
  const destination = createLogDestination({
    fd: -1,
    describeLoss: formatLoss,
    write(_fd, buffer, offset, length, _position, done) {
      if (isFull) return void setImmediate(() => done(Object.assign(new Error("full"), { code: "EAGAIN" }), 0));
      written.push(buffer.toString("utf8", offset, offset + length));
      setImmediate(() => done(null, length));
    },
  });
  destination.write("first\n");
  setTimeout(() => (isFull = false), 60);
  await until(() => expect(written).toEqual(["first\n"]));
  expect(destination.dropped()).toBe(0);
});

it("the log destination limits its buffer for a reader that does not read", () => {
  const fd = openSync(join(folder.path("slow.log")), "w");
  const destination = createLogDestination({ fd, describeLoss: formatLoss, maxPending: 100 });
  // Nothing is written before this turn of the event loop ends, so all lines are queued.
  for (let n = 0; n < 50; n++) destination.write("0123456789\n");
  expect(destination.dropped()).toBe(41);
  destination.flushSync();
  closeSync(fd);
});

it("the log destination writes a line immediately when flushed, and only once", async () => {
  const file = folder.path("flushed.log");
  const fd = openSync(file, "w");
  const destination = createLogDestination({ fd, describeLoss: formatLoss });
  destination.write("fatal\n");
  destination.flushSync();
  expect(readFileSync(file, "utf8")).toBe("fatal\n");
  destination.write("after\n");
  await until(() => expect(readFileSync(file, "utf8")).toBe("fatal\nafter\n"));
  closeSync(fd);
});

it("on exit, the log destination writes the rest of an unfinished write before queued lines", async () => {
  const file = folder.path("unfinished.log");
  const fd = openSync(file, "w");
  let calls = 0;
  const destination = createLogDestination({
    fd,
    describeLoss: formatLoss,
    write(_fd, buffer, offset, _length, _position, done) {
      if (++calls > 1) return;
      setImmediate(() => done(null, writeSync(fd, buffer, offset, 3)));
    },
  });
  destination.write("fatal\n");
  await nextTick();
  destination.write("after\n");
  await until(() => expect(calls).toBe(2));
  destination.flushSync();
  closeSync(fd);
  expect(readFileSync(file, "utf8")).toBe("fatal\nafter\n");
  expect(destination.dropped()).toBe(0);
});

it("on exit, the log destination counts lines that cannot be written, and an unfinished write once", async () => {
  const fd = openSync("/dev/full", "w");
  let finish = (): void => {};
  const destination = createLogDestination({
    fd,
    describeLoss: formatLoss,
    write: (_fd, _buffer, _offset, _length, _position, done) => void (finish = () => done(new Error("ENOSPC"), 0)),
  });
  destination.write("one\n");
  await nextTick();
  destination.write("two\nthree\n");
  destination.flushSync();
  closeSync(fd);
  expect(destination.dropped()).toBe(3);
  finish();
  expect(destination.dropped()).toBe(3);
});
