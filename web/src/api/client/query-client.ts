import { TesseraError } from "@tessera/sdk";
import { MutationCache, onlineManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { showToast } from "../../ui/toasts.ts";
import { hasStatus, getErrorMessage } from "./client.ts";
import { SESSION_KEY } from "../query-keys.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The form shows the error at its field, so that no note is needed. */
      readonly isQuiet?: boolean;
    };
  }
}

/**
 * What the page knows of the server. A call that could not reach the server is made once more when it is back, a write as often as the
 * connection is lost, within bounds; a refusal is final.
 * A write whose error nobody shows is told of in a note; when nobody is logged in any more, the page goes to the log-in.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: endSession }),
    mutationCache: new MutationCache({
      onError(error, _variables, _context, mutation) {
        endSession(error);
        if (mutation.meta?.isQuiet !== true) showToast({ text: getErrorMessage(error), kind: "problem" });
      },
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: retryOnce, refetchOnWindowFocus: true },
      mutations: { retry: retryWrite, retryDelay: 300 },
    },
  });
  return client;

  function endSession(error: Error): void {
    if (hasStatus(error, 401) && client.getQueryData(SESSION_KEY) !== undefined) client.setQueryData(SESSION_KEY, null);
  }
}

const retryOnce = (failures: number, error: Error): boolean =>
  failures < 1 && !(error instanceof TesseraError) && error.name !== "AbortError";

/** How often a write is paused and made again before it is given up: one that never gets through is told of in the end. */
const MAX_WRITE_RETRIES = 10;

/** A retry waits until the connection is back, so a write that finds it lost once more waits again. */
const retryWrite = (failures: number, error: Error): boolean =>
  retryOnce(failures, error) || (failures < MAX_WRITE_RETRIES && !onlineManager.isOnline() && retryOnce(0, error));
