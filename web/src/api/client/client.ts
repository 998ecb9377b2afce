import { createClient, TesseraError } from "@tessera/sdk";
import { watchedFetch } from "./connection.ts";

/** The service that this page came from, as whoever is logged in. */
export const tessera = createClient({ baseUrl: "", fetch: watchedFetch });

/** What went wrong, in a sentence to show. */
export function sentenceOf(error: unknown): string {
  if (error instanceof TesseraError) {
    const wait = error.retryAfterSeconds;
    return error.status === 429 && wait !== null ? `${error.message} Try again in ${wait} seconds.` : error.message;
  }
  if (error instanceof TypeError) return "The server can't be reached. Check the connection and try again.";
  return error instanceof Error ? error.message : "Something went wrong. Try again.";
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof TesseraError && statuses.includes(error.status);

/** Whether a sentence of the service, such as "email must be an e-mail address.", is about this field. */
export const isAbout = (message: string, ...fields: readonly string[]): boolean =>
  fields.some((field) => message.toLowerCase().startsWith(`${field} `));

/** A key under which a repeated creation makes nothing twice. */
export const newOnce = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};
