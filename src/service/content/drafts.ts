import { newId } from "#domain/core/system.ts";
import { type TileOrigin, UNTITLED } from "#domain/content/tile.ts";
import { type GivenTileOptions, pickTileOptions } from "#domain/content/tile-options.ts";
import type { DuplicateAction, NewTile } from "#domain/content/tile-store.ts";
import type { ContentDeps } from "../deps.ts";
import { newJob, requireSource, requireUrl } from "./links.ts";

/** `connectedToChat` null (the default) follows the zone; the default of a text with an origin is false. */
export type NewContent = CommonContent &
  (
    | { readonly content: string; readonly origin?: TileOrigin; readonly sourceUrl?: string }
    | { readonly url: string; readonly html?: string }
  );

/** What any creation sets. */
export type CommonContent = GivenTileOptions & {
  readonly zoneId?: string | null;
  readonly title?: string;
  readonly externalId?: string;
  readonly skipDeleted?: boolean;
  readonly onDuplicate?: DuplicateAction;
};

/** Returns what a creation sets on any tile, and how it treats existing ones. */
export const draftCommon = ({ clock }: Pick<ContentDeps, "clock">, input: CommonContent) => ({
  id: newId("til", clock.now()),
  zoneId: input.zoneId ?? null,
  titleOverridden: input.title !== undefined,
  externalId: input.externalId ?? null,
  ...(input.skipDeleted === true ? { skipDeleted: true } : {}),
  ...(input.onDuplicate === undefined || input.onDuplicate === "create" ? {} : { onDuplicate: input.onDuplicate }),
  ...pickTileOptions(input),
});

/** Builds a new tile from caller input. Text is ready at once; a link gets an ingestion job. */
export function draftTile(deps: ContentDeps, input: NewContent): NewTile {
  const common = draftCommon(deps, input);
  if ("content" in input) {
    return {
      ...common,
      type: "TEXT",
      title: input.title ?? UNTITLED,
      rawContent: input.content,
      extractedText: input.content,
      sourceUrl: input.sourceUrl === undefined ? null : requireSource(deps, input.sourceUrl).href,
      metadata: input.origin === undefined ? {} : { origin: input.origin },
      job: null,
    };
  }
  // A link that comes with its page is not fetched. The guard refuses what a retry or a refresh fetches inside the network.
  const url = input.html === undefined ? requireUrl(deps.links.read(input.url)) : requireSource(deps, input.url, "url");
  const kind = deps.links.detect(url);
  return {
    ...common,
    type: kind.type,
    title: input.title ?? [...url.href].slice(0, deps.settings.maxTitle).join(""),
    rawContent: url.href,
    extractedText: "",
    sourceUrl: url.href,
    metadata: kind.subtype === undefined ? {} : { subtype: kind.subtype },
    ...(input.html === undefined ? {} : { html: input.html }),
    job: newJob(deps, url.href),
  };
}
