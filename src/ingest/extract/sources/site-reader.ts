import type { TileWarning } from "#domain/content/tile.ts";
import type { ExtractContext, Extractor } from "../extractor.ts";
import type { Source } from "./run-sources.ts";

/** How some of a site's links are read. */
export type SiteReader = {
  /** What it reads, such as "video"; docs/links.md shows it where a site has several readers. */
  readonly name: string;
  /** Subtypes that it reads; without them it reads whatever no reader before it does. */
  readonly subtypes?: readonly string[];
  /** Added when no source was complete: what is missing, and what a person can do. */
  readonly missing: TileWarning;
  /** From the best to the last resort; a function where they share state during one run. */
  readonly sources: readonly Source[] | (() => readonly Source[]);
  /** Replaces handing the link to another extractor. */
  readonly onHandOff?: (context: ExtractContext) => ReturnType<Extractor["extract"]>;
};
