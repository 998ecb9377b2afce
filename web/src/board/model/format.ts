import { formatCount } from "../../text/plural.ts";
import type { BoardTile } from "./tile.ts";

/** The host of a web address without `www.`; null for anything else, so that only web addresses become links. */
export function getSite(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) ? stripWww(hostname) : null;
}

const stripWww = (hostname: string): string | null => hostname.replace(/^www\./, "") || null;

/** Shortens a text with an ellipsis; counts code points. */
export const truncate = (title: string, maxLength = 60): string => {
  const points = [...title.slice(0, 2 * maxLength + 2)];
  return points.length <= maxLength
    ? title
    : `${points
        .slice(0, maxLength - 1)
        .join("")
        .trimEnd()}…`;
};

/** The title of the only tile in quotation marks, or the number of tiles. */
export function formatTiles(some: readonly Pick<BoardTile, "title">[]): string {
  const [first] = some;
  return some.length === 1 && first !== undefined ? `“${truncate(first.title, 40)}”` : formatCount(some.length, "tile");
}

const AGES = [
  ["y", 31_536_000],
  ["mo", 2_592_000],
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** The age of a tile: `now`, `5 min`, `3 h`, `12 d`. Cheap enough for thousands of cards. */
export function formatAge(iso: string, now: number): string | undefined {
  const seconds = (now - Date.parse(iso)) / 1_000;
  if (Number.isNaN(seconds)) return undefined;
  const unit = AGES.find(([, length]) => seconds >= length);
  return unit === undefined ? "now" : `${Math.floor(seconds / unit[1])} ${unit[0]}`;
}
