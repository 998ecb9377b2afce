import { ConnectionError, TesseraError } from "@tessera-board/sdk";
import { MutationCache, onlineManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { showToast } from "../../ui/toasts.ts";
import { hasStatus, getErrorMessage } from "./client.ts";
import { SESSION_KEY } from "../query-keys.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** True if the form shows the error, so that no notification is needed. */
      readonly isQuiet?: boolean;
    };
  }
}

/**
 * Creates the query client. Requests that did not reach the server are retried: reads once, writes while the connection keeps failing, up
 * to a limit. Error responses are final. Errors of writes that no form shows appear as a notification. A 401 response redirects to the
 * login page.
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
  failures < 1 &&
  (error instanceof ConnectionError || !(error instanceof TesseraError)) &&
  error.name !== "AbortError" &&
  error.name !== "TimeoutError";

/** How often a write is paused and retried before it fails. */
const MAX_WRITE_RETRIES = 10;

/** A retry waits for the connection, so a write that loses the connection again waits again. */
const retryWrite = (failures: number, error: Error): boolean =>
  retryOnce(failures, error) || (failures < MAX_WRITE_RETRIES && !onlineManager.isOnline() && retryOnce(0, error));
