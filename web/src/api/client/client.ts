import { createClient, TesseraError } from "@tessera-board/sdk";
import { trackedFetch } from "./connection.ts";

export { newIdempotencyKey } from "@tessera-board/sdk";

/** The API client of the server that delivered this page, authenticated by the session cookie. The query client repeats calls. */
export const tessera = createClient({ baseUrl: "", fetch: trackedFetch, maxRetries: 0, timeoutMs: 600_000 });

/** A sentence that describes an error to the user. */
export function getErrorMessage(error: unknown): string {
  if (error instanceof TesseraError && error.status !== 0) {
    const wait = error.retryAfterSeconds;
    // Tessera's own messages name the time; those of a proxy do not.
    const namesTime = / \d+ s\b/.test(error.message);
    return error.status === 429 && wait !== null && !namesTime ? `${error.message} Try again in ${wait} seconds.` : error.message;
  }
  // Status 0 is a redirect, such as to the login page of a proxy.
  if (error instanceof TypeError || error instanceof TesseraError)
    return "The server can't be reached. Check the connection and try again.";
  return error instanceof Error ? error.message : "Something went wrong. Try again.";
}

export const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof TesseraError && statuses.includes(error.status);

/** Whether an error message of the server, such as "email must be an e-mail address.", concerns one of these fields. */
export const isFieldError = (message: string, ...fields: readonly string[]): boolean =>
  fields.some((field) => message.toLowerCase().startsWith(`${field} `));
