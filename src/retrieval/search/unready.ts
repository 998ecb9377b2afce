import { setImmediate as nextTurn } from "node:timers/promises";
import type { SearchStore, SearchFilter, UnreadyTile } from "#domain/answers/search.ts";
import { foldWord, splitWords } from "../text/tokenise.ts";
import type { ParsedSearch } from "./parse.ts";

/** Tiles scanned for one search, newest first, and tiles scanned in one turn of the event loop (about 2 ms). */
const MAX_SCANNED = 50_000;
const PAGE_SIZE = 1_000;
/** Tiles that are ranked: those whose titles contain most of the search. */
const MAX_CANDIDATES = 200;
/** Letters at the end of a word that are ignored as inflection, and the minimum number of letters that are compared. */
const MAX_ENDING_LENGTH = 3;
const MIN_NEEDLE_LENGTH = 4;

/** Text by which a tile without content is found: its title, and its address if that differs. */
export const getSearchedText = ({ title, sourceUrl }: Pick<UnreadyTile, "title" | "sourceUrl">): string =>
  sourceUrl === null || sourceUrl === title ? title : `${title}\n${sourceUrl}`;

/**
 * Finds processing and failed tiles whose title or address may match, at most `MAX_CANDIDATES`. This is a cheap preselection that
 * compares letters; the caller ranks the result.
 */
export async function findUnready(
  search: Pick<SearchStore, "unreadyTiles">,
  businessId: string,
  boardId: string,
  parsed: ParsedSearch,
  filter: SearchFilter,
): Promise<readonly UnreadyTile[]> {
  const needles = listNeedles(parsed);
  if (needles.length === 0) return [];
  const found: { readonly tile: UnreadyTile; readonly matchedLength: number }[] = [];
  let before: number | null = null;
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += PAGE_SIZE) {
    const tiles: readonly UnreadyTile[] = await search.unreadyTiles(businessId, boardId, before, PAGE_SIZE, filter);
    for (const tile of tiles) {
      const text = foldText(getSearchedText(tile));
      let matchedLength = 0;
      for (const needle of needles) if (text.includes(needle)) matchedLength += needle.length;
      if (matchedLength > 0) found.push({ tile, matchedLength });
    }
    before = tiles.at(-1)?.sequence ?? null;
    if (before === null || tiles.length < PAGE_SIZE) break;
    await nextTurn();
  }
  return found
    .sort((a, b) => b.matchedLength - a.matchedLength || b.tile.sequence - a.tile.sequence)
    .slice(0, MAX_CANDIDATES)
    .map(({ tile }) => tile);
}

/** Returns the words of a search as substrings, without inflectional endings. */
function listNeedles({ text, prefixes }: ParsedSearch): string[] {
  const words = splitWords(text).map((word) => {
    const folded = foldWord(word);
    return folded.slice(0, Math.max(MIN_NEEDLE_LENGTH, folded.length - MAX_ENDING_LENGTH));
  });
  return [...new Set([...words, ...prefixes])].filter((needle) => needle !== "");
}

const NON_ASCII = /\P{ASCII}/u;

/** Most titles are ASCII, for which lower case is enough. */
const foldText = (text: string): string => (NON_ASCII.test(text) ? foldWord(text) : text.toLowerCase());
