import { type AppError, invalidField } from "#domain/core/errors/error.ts";
import type { UrlRejection } from "#domain/content/fetch.ts";
import type { NewJob } from "#domain/content/job.ts";
import { newId } from "#domain/core/system.ts";
import type { Deps, LinkReading } from "../deps.ts";

const REFUSALS: Readonly<Record<UrlRejection, string>> = {
  scheme: "must be an http or https address.",
  credentials: "must not carry credentials.",
  too_long: "is too long.",
  inside: "points inside the network.",
};

/** Returns the parsed URL of this field. Throws 400 for a refused one; `hint` names the setting that allows private addresses. */
export function requireUrl(reading: LinkReading, hint = "", field = "url"): URL {
  if (reading.ok) return reading.url;
  throw toAddressError(reading.refusal, hint, field);
}

/** Returns the address that a text, or a page in `url`, came from. Throws 400 for one that is no address of a page. */
export const requireSource = ({ links }: Pick<Deps, "links">, sourceUrl: string, field: "source_url" | "url" = "source_url"): URL =>
  requireUrl(links.readSource(sourceUrl), "", field);

const toAddressError = (refusal: UrlRejection, hint: string, field: string): AppError =>
  invalidField(
    field,
    refusal === "inside" && hint !== "" ? `${REFUSALS.inside} ${hint}` : REFUSALS[refusal],
    refusal === "inside" ? "url_not_allowed" : "field_invalid",
  );

/** The host name under which uploads share their concurrency limit. */
const UPLOAD_HOST = "upload";

/** Creates the job that ingests a link, or an upload when `url` is null. Jobs of one host share its concurrency limit. */
export const newJob = ({ clock, settings, links }: Pick<Deps, "clock" | "settings" | "links">, url: string | null): NewJob => ({
  id: newId("job", clock.now()),
  host: url === null ? UPLOAD_HOST : links.getHostGroup(new URL(url)),
  maxAttempts: settings.ingestAttempts,
});
