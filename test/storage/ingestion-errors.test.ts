import { expect, test } from "vitest";
import { workerCrashed, workerLost } from "#storage/shared/ingestion.ts";

test("a tile that crashed the process has a message with the reason and advice, and is not retried", () => {
  expect(workerCrashed(2)).toEqual({
    code: "worker_crashed",
    message:
      "Reading this link ended the service unexpectedly more than once, so it is not tried again. Paste its text instead, and ask the operator of this server to look at its log.",
    stage: "worker",
    retryable: false,
    attempts: 2,
  });
});

test("a tile whose worker was lost can be retried", () => {
  expect(workerLost(3)).toMatchObject({ code: "worker_lost", retryable: true, attempts: 3 });
});
