import { expect, it, vi } from "vitest";
import { lazy } from "#runtime/lazy.ts";

it("lazy loads once and shares a running attempt", async () => {
  const held = Promise.withResolvers<string>();
  const load = vi.fn(() => held.promise);
  const library = lazy(load);
  const both = [library.get(), library.get()];
  held.resolve("loaded");
  expect(await Promise.all([...both, library.get()])).toEqual(["loaded", "loaded", "loaded"]);
  expect(load).toHaveBeenCalledTimes(1);
});

it("lazy does not keep a failure, also one that is thrown at once", async () => {
  let attempts = 0;
  const library = lazy((): Promise<string> => {
    if (++attempts < 3) throw new Error("too many open files");
    return Promise.resolve("loaded");
  });
  await expect(Promise.all([library.get(), library.get()])).rejects.toThrow("too many open files");
  await expect(library.get()).rejects.toThrow("too many open files");
  expect(await library.get()).toBe("loaded");
  expect(attempts).toBe(3);
});

it("lazy returns for closing what was loaded, and nothing before or after a failure", async () => {
  const library = lazy<string>(() => Promise.reject(new Error("failed")));
  expect(await library.loaded()).toBeUndefined();
  await expect(library.get()).rejects.toThrow("failed");
  expect(await library.loaded()).toBeUndefined();
  const other = lazy(async () => "loaded");
  void other.get();
  expect(await other.loaded()).toBe("loaded");
});
