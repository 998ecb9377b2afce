import { QueryClient } from "@tanstack/react-query";
import type { TileProgress } from "@tessera-board/sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { progressKey } from "../../web/src/api/query-keys.ts";
import { createProgressUpdater } from "../../web/src/api/tiles/progress.ts";
import { getStatusLabel } from "../../web/src/text/status-label.ts";

const UPDATED = "2026-11-22T03:00:00.000Z";
const STARTED = "2026-11-22T03:00:05.000Z";
const at = (tileId: string, more: Partial<TileProgress> = {}): TileProgress => ({
  tileId,
  stage: "fetch",
  attempt: 1,
  maxAttempts: 3,
  startedAt: STARTED,
  ...more,
});

describe("status labels", () => {
  const tile = { error: null, updatedAt: UPDATED };
  const failed = {
    error: { code: "timeout", message: "The site did not answer.", stage: "fetch", retryable: true, attempts: 1 },
    updatedAt: UPDATED,
  };

  it("status labels show the stage and the start of the attempt", () => {
    const words = ["fetch", "read", "transcribe", "recognise", "of_a_newer_service"].map(
      (stage) => getStatusLabel(tile, at("a", { stage })).text,
    );
    expect(words).toEqual(["Fetching", "Reading", "Transcribing", "Recognising text", "Processing"]);
    expect(getStatusLabel(tile, at("a"))).toEqual({ text: "Fetching", isWaiting: false, attempt: null, reason: null, since: STARTED });
  });

  it("status labels show that the tile is queued without a job, and processing while unknown", () => {
    expect(getStatusLabel(tile, null)).toEqual({
      text: "Queued",
      isWaiting: true,
      attempt: null,
      reason: null,
      since: UPDATED,
    });
    expect(getStatusLabel(tile, undefined)).toMatchObject({ text: "Processing", isWaiting: false });
  });

  it("status labels show the error and the number of attempts after a failure", () => {
    const reason = "The site did not answer.";
    expect(getStatusLabel(failed, null)).toEqual({ text: "Waiting to retry", isWaiting: true, attempt: null, reason, since: UPDATED });
    expect(getStatusLabel(failed, at("a", { attempt: 2 }))).toEqual({
      text: "Fetching",
      isWaiting: false,
      attempt: "2 of 3",
      reason,
      since: STARTED,
    });
    // The progress of the failed attempt is still known.
    expect(getStatusLabel(failed, at("a")).text).toBe("Waiting to retry");
  });
});

describe("job progress", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const setUp = () => {
    const client = new QueryClient();
    const keep = createProgressUpdater(client, "b");
    const ids = (): string[] | undefined => client.getQueryData<readonly TileProgress[]>(progressKey("b"))?.map(({ tileId }) => tileId);
    return { client, keep, ids };
  };

  it("job progress is unknown before the first event, and stored immediately", () => {
    const { client, keep, ids } = setUp();
    expect(ids()).toBeUndefined();
    keep([]);
    expect(ids()).toEqual([]);
    keep([at("a")]);
    keep([at("a", { stage: "read" }), at("b")]);
    expect(client.getQueryData(progressKey("b"))).toEqual([at("a", { stage: "read" }), at("b")]);
  });

  it("job progress stays visible a moment after the job ends, despite other changes", () => {
    const { keep, ids } = setUp();
    keep([at("a"), at("b")]);
    keep([at("b")]);
    expect(ids()).toEqual(["b", "a"]);
    for (const stage of ["read", "fetch"]) {
      vi.advanceTimersByTime(500);
      keep([at("b", { stage })]);
      expect(ids()).toEqual(["b", "a"]);
    }
    vi.advanceTimersByTime(600);
    expect(ids()).toEqual(["b"]);
    vi.advanceTimersByTime(60 * 60_000);
    expect(ids()).toEqual(["b"]);
  });

  it("job progress stays if the job appears again, as after a reconnect", () => {
    const { keep, ids } = setUp();
    keep([at("a")]);
    keep([]);
    keep([at("a")]);
    vi.advanceTimersByTime(5_000);
    expect(ids()).toEqual(["a"]);
    keep([]);
    vi.advanceTimersByTime(5_000);
    expect(ids()).toEqual([]);
  });
});
