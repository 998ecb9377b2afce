import { setImmediate as nextTurn } from "node:timers/promises";
import type { SearchStore, SearchFilter, UnreadyTile } from "#domain/answers/search.ts";
import { foldWord, splitWords } from "../text/tokenise.ts";
import type { ParsedSearch } from "./parse.ts";

/** Tiles that are looked through for one search, the newest first, and those read in one turn of the event loop (about 2 ms). */
const MAX_SCANNED = 50_000;
const PAGE_SIZE = 1_000;
/** Tiles that are ranked; those whose titles hold most of the search. */
const MAX_CANDIDATES = 200;
/** Letters at the end of a word that may be an ending, and letters that are compared at least. */
const MAX_ENDING_LENGTH = 3;
const MIN_NEEDLE_LENGTH = 4;

/** What is searched of a tile without text: its title, and its address where that is not the title already. */
export const getSearchedText = ({ title, sourceUrl }: Pick<UnreadyTile, "title" | "sourceUrl">): string =>
  sourceUrl === null || sourceUrl === title ? title : `${title}\n${sourceUrl}`;

/**
 * Processing and failed tiles whose title or address may hold words of the search, newest first, at most `MAX_CANDIDATES`. It is a
 * cheap preselection: letters are compared, and the caller ranks what is left by words.
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

/** The words of a search as letters to look for, without endings that a title may have in another form. */
function listNeedles({ text, prefixes }: ParsedSearch): string[] {
  const words = splitWords(text).map((word) => {
    const folded = foldWord(word);
    return folded.slice(0, Math.max(MIN_NEEDLE_LENGTH, folded.length - MAX_ENDING_LENGTH));
  });
  return [...new Set([...words, ...prefixes])].filter((needle) => needle !== "");
}

const NON_ASCII = /\P{ASCII}/u;

/** Folding a whole text takes as long as folding a word; most titles are plain ASCII. */
const foldText = (text: string): string => (NON_ASCII.test(text) ? foldWord(text) : text.toLowerCase());
