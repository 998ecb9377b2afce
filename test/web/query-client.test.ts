import { expect, it } from "vitest";
import { ConnectionError, TesseraError, TimeoutError } from "@tessera-board/sdk";
import { getErrorMessage } from "../../web/src/api/client/client.ts";
import { createQueryClient } from "../../web/src/api/client/query-client.ts";

const lost = new ConnectionError(new TypeError("Failed to fetch"));

it("a read that did not reach the server is repeated once, and an error response or a time limit is final", () => {
  const retry = createQueryClient().getDefaultOptions().queries?.retry as (failures: number, error: Error) => boolean;
  expect([retry(0, lost), retry(1, lost)]).toEqual([true, false]);
  for (const error of [new TesseraError(500, "Broken.", null, null), new TimeoutError(1), new DOMException("Enough.", "AbortError")])
    expect(retry(0, error)).toBe(false);
});

it("a lost connection is described in the words of the page", () => {
  expect(getErrorMessage(lost)).toBe("The server can't be reached. Check the connection and try again.");
});

it("a refusal says once when to try again", () => {
  const refusal = (message: string) => getErrorMessage(new TesseraError(429, message, null, 7));
  expect(refusal("Too many requests. Try again in 7 s.")).toBe("Too many requests. Try again in 7 s.");
  expect(refusal("Slow down.")).toBe("Slow down. Try again in 7 seconds.");
});
