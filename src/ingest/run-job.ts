import type { Fetcher } from "#domain/fetch.ts";
import { type ClaimedJob, IngestError, type Ingested } from "#domain/job.ts";
import { detectKind } from "./detect.ts";
import type { Decode, Extractor } from "./extractors/extractor.ts";
import { chooseExtractor, EXTRACTORS } from "./extractors/registry.ts";
import { tidyTitle } from "./clean/text.ts";
import type { Cleaner } from "./pool.ts";

export type RunJobDeps = {
  readonly fetcher: Fetcher;
  readonly decode: Decode;
  readonly cleaner: Cleaner;
  readonly extractors?: readonly Extractor[];
};

const MAX_MOVES = 3;

/**
 * Fetches one job's link and turns it into text, handing it on when it leads to a thing that another extractor
 * knows better. Throws `IngestError`, or the signal's reason.
 */
export async function runJob(deps: RunJobDeps, job: ClaimedJob, signal: AbortSignal): Promise<Ingested> {
  const extractors = deps.extractors ?? EXTRACTORS;
  const start = URL.parse(job.url);
  if (!start) throw new IngestError("invalid_url", "The link is not an address. Check it and add it again.", { stage: "detect" });
  let url = start;
  let kind = detectKind(url);
  for (let moves = 0; moves <= MAX_MOVES; moves++) {
    signal.throwIfAborted();
    const extractor = chooseExtractor(kind, extractors);
    const found = await extractor.extract({
      ...deps,
      url,
      kind,
      signal,
      isServed: (other) => moves < MAX_MOVES && chooseExtractor(other, extractors) !== extractor,
    });
    if (!("moved" in found)) return { ...found, title: tidyTitle(found.title) };
    url = found.moved;
    kind = found.kind;
  }
  throw new IngestError("too_many_redirects", "The link leads from one place to the next without end. Use the final address.", {
    stage: "fetch",
  });
}
