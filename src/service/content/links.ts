import { type AppError, invalid } from "#domain/core/error.ts";
import type { AddressRefusal } from "#domain/content/fetch.ts";
import type { NewJob } from "#domain/content/job.ts";
import { newId } from "#domain/core/system.ts";
import type { Deps, LinkReading } from "../deps.ts";

const REFUSALS: Readonly<Record<AddressRefusal, string>> = {
  scheme: "url must be an http or https address.",
  credentials: "url must not carry credentials.",
  too_long: "url is too long.",
  inside: "url points inside the network.",
};

/** The address read, or a 400 in the interface's words; `hint` names the setting that would allow it. */
export function requireUrl(reading: LinkReading, hint = ""): URL {
  if (reading.ok) return reading.url;
  throw toAddressError(reading.refusal, hint);
}

const toAddressError = (refusal: AddressRefusal, hint: string): AppError =>
  invalid(refusal === "inside" && hint !== "" ? `${REFUSALS.inside} ${hint}` : REFUSALS[refusal]);

/** Whose places uploads take. */
const UPLOADS = "upload";

/** The background work on a link, or on an upload where it is null; jobs of one service or host share its places. */
export const newJob = ({ clock, settings, links }: Pick<Deps, "clock" | "settings" | "links">, url: string | null): NewJob => ({
  id: newId("job", clock.now()),
  host: url === null ? UPLOADS : links.groupOf(new URL(url)),
  maxAttempts: settings.ingestAttempts,
});
