import type { TileWarning } from "#domain/content/tile.ts";
import type { ExtractContext, Extractor } from "../extractor.ts";
import type { ContentSource } from "./run-sources.ts";

/** Defines how one kind of a site's links is read. */
export type SiteReader = {
  /** What it reads, such as "video". docs/links.md shows the name if a site has several readers. */
  readonly name: string;
  /** Subtypes that it reads. If omitted, it reads all subtypes that no earlier reader reads. */
  readonly subtypes?: readonly string[];
  /** The warning if no source is complete: what is missing, and what users can do. */
  readonly missing: TileWarning;
  /** From the best to the last resort; a function if they share state during one run. */
  readonly sources: readonly ContentSource[] | (() => readonly ContentSource[]);
  /** Runs instead of handing the link to another extractor. */
  readonly onHandOff?: (context: ExtractContext) => ReturnType<Extractor["extract"]>;
};
