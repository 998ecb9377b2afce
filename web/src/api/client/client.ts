import { createClient, TesseraError } from "@tessera/sdk";
import { trackedFetch } from "./connection.ts";

/** The service that this page came from, as whoever is logged in. */
export const tessera = createClient({ baseUrl: "", fetch: trackedFetch });

/** What went wrong, in a sentence to show. */
export function getErrorMessage(error: unknown): string {
  if (error instanceof TesseraError) {
    const wait = error.retryAfterSeconds;
    return error.status === 429 && wait !== null ? `${error.message} Try again in ${wait} seconds.` : error.message;
  }
  if (error instanceof TypeError) return "The server can't be reached. Check the connection and try again.";
  return error instanceof Error ? error.message : "Something went wrong. Try again.";
}

export const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof TesseraError && statuses.includes(error.status);

/** Whether a sentence of the service, such as "email must be an e-mail address.", is about this field. */
export const isFieldError = (message: string, ...fields: readonly string[]): boolean =>
  fields.some((field) => message.toLowerCase().startsWith(`${field} `));

/** A key under which a repeated creation makes nothing twice. */
export const newIdempotencyKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};
