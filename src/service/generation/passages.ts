import type { GenerationRequest, Idea } from "#domain/answers/generation.ts";
import type { ConnectedTile } from "#domain/answers/search.ts";
import type { NumberedSource } from "#retrieval/grounding/prompt.ts";
import { alignToCodePoint, copyString } from "#retrieval/text/characters.ts";
import { chunkText } from "#retrieval/text/chunk.ts";
import type { BoardReader } from "../access.ts";
import type { StoreDeps } from "../deps.ts";
import { isRestricted, selectTiles } from "./selection.ts";

export type MaterialTile = Omit<ConnectedTile, "version">;

/** Characters of context on each side of an idea's quote. */
const CONTEXT_CHARACTERS = 400;

/** Returns the start of a text, at most `max` code units, up to the end of a sentence or line. */
export function truncateAtSentence(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, alignToCodePoint(text, max));
  const end = Math.max(
    head.lastIndexOf("\n"),
    head.lastIndexOf(". "),
    head.lastIndexOf("。"),
    head.lastIndexOf("! "),
    head.lastIndexOf("? "),
  );
  return copyString(head.slice(0, end + 1));
}

/** Returns how many characters before `end` are whole sentences, at most `CONTEXT_CHARACTERS`. */
function getContextLength(text: string, end: number): number {
  const before = text.slice(Math.max(0, end - CONTEXT_CHARACTERS), end);
  if (before.length === end) return end;
  const begin = before.search(/\n|[.!?] |。/);
  return begin < 0 ? 0 : before.length - begin - 1;
}

/** Splits the text of a tile into passages. */
export const chunkTile = (tile: MaterialTile): NumberedSource[] =>
  chunkText(tile.extractedText).map(({ start, end }) => createPassage(tile, start, end));

export const distinctPassages = (passages: readonly NumberedSource[]): NumberedSource[] =>
  [...new Map(passages.toReversed().map((passage) => [`${passage.tileId} ${passage.start}`, passage])).values()].toReversed();

function createPassage({ id, title, type, sourceUrl, extractedText }: MaterialTile, start: number, end: number): NumberedSource {
  return {
    tileId: id,
    title,
    type,
    sourceUrl,
    text: extractedText.slice(start, end),
    start,
    end,
    around: { text: extractedText, start: 0 },
  };
}

/** Returns the quotes of an idea with their context, as far as they still exist and are still connected. */
export async function findIdeaPassages(
  deps: StoreDeps,
  scope: BoardReader,
  request: GenerationRequest,
  idea: Idea,
): Promise<NumberedSource[]> {
  const { businessId, id: boardId } = scope.target;
  const ids = [...new Set(idea.citations.map(({ tileId }) => tileId))];
  const allowed = isRestricted(request) ? new Set(await selectTiles(deps, scope, request)) : null;
  const readable = allowed === null ? ids : ids.filter((id) => allowed.has(id));
  const tiles = new Map((await deps.store.search.connectedTiles(businessId, boardId, readable)).map((tile) => [tile.id, tile]));
  return idea.citations.flatMap(({ tileId, start, end, quote }) => {
    const tile = tiles.get(tileId);
    if (tile === undefined || tile.extractedText.slice(start, end) !== quote) return [];
    return [
      createPassage(
        tile,
        start - getContextLength(tile.extractedText, start),
        end + truncateAtSentence(tile.extractedText.slice(end), CONTEXT_CHARACTERS).length,
      ),
    ];
  });
}
