import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { getErrorMessage } from "../api/client/client.ts";
import { createSampleBoard, fillSampleBoard } from "./create-sample.ts";

/** The creation of a sample board in this page. It outlives the components, because the page moves to the new board meanwhile. */
export type SampleRun =
  | { readonly status: "idle" }
  | { readonly status: "board" }
  | { readonly status: "tiles" | "created"; readonly boardId: string }
  /** `boardId` is null if there is no board to show yet. */
  | { readonly status: "failed"; readonly boardId: string | null; readonly message: string };

let run: SampleRun = { status: "idle" };
const listeners = new Set<() => void>();

function setRun(next: SampleRun): void {
  run = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSampleRun = (): SampleRun => useSyncExternalStore(subscribe, () => run);

const isRunning = (): boolean => run.status === "board" || run.status === "tiles";

/** Creates the board, calls `onBoard` as soon as it can be shown, and fills it. Never rejects: the outcome is in `useSampleRun`. */
export async function startSample(client: QueryClient, memberId: string, onBoard: (boardId: string) => void): Promise<void> {
  if (isRunning()) return;
  setRun({ status: "board" });
  try {
    const boardId = await createSampleBoard(client, memberId);
    setRun({ status: "tiles", boardId });
    onBoard(boardId);
    await fill(client, memberId, boardId);
  } catch (error) {
    setRun({ status: "failed", boardId: null, message: getErrorMessage(error) });
  }
}

/** Creates what an interrupted or failed run left out. */
export async function resumeSample(client: QueryClient, memberId: string, boardId: string): Promise<void> {
  if (isRunning()) return;
  setRun({ status: "tiles", boardId });
  await fill(client, memberId, boardId);
}

async function fill(client: QueryClient, memberId: string, boardId: string): Promise<void> {
  try {
    await fillSampleBoard(client, memberId, boardId);
    setRun({ status: "created", boardId });
  } catch (error) {
    setRun({ status: "failed", boardId, message: getErrorMessage(error) });
  }
}
