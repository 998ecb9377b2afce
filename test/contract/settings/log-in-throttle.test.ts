import { expect } from "vitest";
import type { ThrottleEntry } from "#domain/settings/log-in-throttle.ts";
import { T0 } from "../../support/boards.ts";
import { test } from "../store-test.ts";

const entry = (failures: number, expiresAt = T0 + 1_000): ThrottleEntry => ({ failures, lastAt: T0, nextAt: T0 + 5, expiresAt });

test("counters of failed logins are stored and changed in one unit of work despite concurrent attempts", async ({
  store: { logInThrottle },
}) => {
  expect(await logInThrottle.read(["a", "b"])).toEqual(new Map());
  const add = (name: string) =>
    logInThrottle.change([name, "other"], (entries) => {
      const failures = (entries.get(name)?.failures ?? 0) + 1;
      return { write: new Map([[name, entry(failures)]]), result: failures };
    });
  const results = await Promise.all(Array.from({ length: 12 }, () => add("a")));
  expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  expect(await logInThrottle.read(["a", "b"])).toEqual(new Map([["a", entry(12)]]));
});

test("counters of failed logins are removed when expired, and beyond the limit those that expire first", async ({
  store: { logInThrottle },
}) => {
  const write = new Map(Array.from({ length: 6 }, (_, n) => [`n${n}`, entry(n, T0 + n)]));
  await logInThrottle.change([...write.keys()], () => ({ write, result: null }));
  await logInThrottle.trim(3, T0 + 1);
  expect([...(await logInThrottle.read([...write.keys()])).keys()].sort()).toEqual(["n3", "n4", "n5"]);
});
