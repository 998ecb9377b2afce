import { expect, test } from "vitest";
import { workerLost } from "#storage/sql/queue/ingestion.ts";

test("a tile whose worker was lost can be retried", () => {
  expect(workerLost(3)).toMatchObject({ code: "worker_lost", retryable: true, attempts: 3 });
});
