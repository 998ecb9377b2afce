import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AppError } from "#domain/core/errors/error.ts";
import { retry, retryWhileUnavailable } from "#runtime/retry.ts";

const unavailable = new AppError("unavailable", "The database is unavailable.");

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

it("retry waits as long as delayAfter returns, and throws if it returns null", async () => {
  const work = vi.fn(async () => Promise.reject(new Error("failed")));
  const delays = [10, 100, null];
  const result = retry(work, (_error, attempt) => delays[attempt - 1] ?? null);
  result.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(100);
  await expect(result).rejects.toThrow("failed");
  expect(work).toHaveBeenCalledTimes(3);
});

it("retry ends its wait with the signal's reason", async () => {
  const controller = new AbortController();
  const result = retry(
    async () => Promise.reject(new Error("failed")),
    () => 1_000,
    controller.signal,
  );
  result.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  controller.abort(new Error("gone"));
  await expect(result).rejects.toThrow("gone");
});

it("retryWhileUnavailable returns the first success", async () => {
  const work = vi
    .fn(async () => "done")
    .mockRejectedValueOnce(unavailable)
    .mockRejectedValueOnce(unavailable);
  const result = retryWhileUnavailable(work, { delayMs: 500, maxMs: 10_000 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await result).toBe("done");
});

it("retryWhileUnavailable counts delays, not the duration of attempts", async () => {
  const work = vi.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    throw unavailable;
  });
  const result = retryWhileUnavailable(work, { delayMs: 500, maxMs: 1_000 });
  result.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(20_000);
  await expect(result).rejects.toBe(unavailable);
  expect(work).toHaveBeenCalledTimes(3);
});

it("retryWhileUnavailable throws other errors at once", async () => {
  const work = vi.fn(async () => Promise.reject(new AppError("conflict", "It changed.")));
  await expect(retryWhileUnavailable(work, { delayMs: 500, maxMs: 10_000 })).rejects.toThrow("It changed.");
  expect(work).toHaveBeenCalledTimes(1);
});

it("retryWhileUnavailable throws the last failure once its time is over, or after an abort", async () => {
  const work = vi.fn(async () => Promise.reject(unavailable));
  const result = retryWhileUnavailable(work, { delayMs: 500, maxMs: 1_000 });
  result.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(result).rejects.toBe(unavailable);
  expect(work).toHaveBeenCalledTimes(3);
  await expect(retryWhileUnavailable(work, { delayMs: 500, maxMs: 1_000, signal: AbortSignal.abort() })).rejects.toBe(unavailable);
  expect(work).toHaveBeenCalledTimes(4);
});
