import { expect, test } from "vitest";
import { stopAll } from "#runtime/process/stop-all.ts";

const fail = (message: string) => () => {
  throw new Error(message);
};

test("every step runs in its order, and only then the error is thrown", async () => {
  const ran: string[] = [];
  const steps = [
    [() => ran.push("a")],
    [fail("no b"), async () => ran.push("c")],
    [
      async () => {
        await Promise.resolve();
        ran.push("d");
      },
    ],
    [() => ran.push("e")],
  ];
  await expect(stopAll(...steps)).rejects.toThrow("no b");
  expect(ran).toEqual(["a", "c", "d", "e"]);
});

test("several errors are thrown together, the first as the cause", async () => {
  const error = await stopAll([fail("first")], [() => Promise.reject(new Error("second"))]).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ errors: [{ message: "first" }, { message: "second" }], cause: { message: "first" } });
  await expect(stopAll()).resolves.toBeUndefined();
});
