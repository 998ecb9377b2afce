import { expect, it, vi } from "vitest";
import { createSingleFlight } from "#runtime/single-flight.ts";

const never = new AbortController().signal;
const create = () => createSingleFlight<string>();

it("single-flight shares one run among callers of one key, and starts again after it", async () => {
  const flights = create();
  const held = Promise.withResolvers<string>();
  const work = vi.fn(() => held.promise);
  const both = [flights.run("a", never, work), flights.run("a", never, work)];
  const other = flights.run("b", never, async () => "other");
  held.resolve("done");
  expect(await Promise.all([...both, other])).toEqual(["done", "done", "other"]);
  expect(work).toHaveBeenCalledTimes(1);
  expect(await flights.run("a", never, async () => "again")).toBe("again");
});

it("single-flight passes an error on to every caller, also one that is thrown at once", async () => {
  const flights = create();
  const work = (): Promise<string> => {
    throw new Error("failed");
  };
  const both = [flights.run("a", never, work), flights.run("a", never, work)];
  for (const result of await Promise.allSettled(both)) expect(result).toMatchObject({ status: "rejected", reason: { message: "failed" } });
});

it("single-flight lets a caller leave, and aborts the work when the last caller leaves", async () => {
  const flights = create();
  const [one, two] = [new AbortController(), new AbortController()];
  let signal: AbortSignal | undefined;
  const work = (given: AbortSignal): Promise<string> => {
    signal = given;
    return new Promise(() => undefined);
  };
  const first = flights.run("a", one.signal, work);
  const second = flights.run("a", two.signal, work);
  one.abort(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  expect(signal?.aborted).toBe(false);
  two.abort(new Error("gone too"));
  await expect(second).rejects.toThrow("gone too");
  expect(signal?.aborted).toBe(true);
  expect(await flights.run("a", never, async () => "again")).toBe("again");
});
