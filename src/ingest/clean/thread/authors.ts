import { getText, isElement, type PageElement } from "../dom.ts";
import { isNamed, toSet } from "../prune/names.ts";

const MAX_NAME_LENGTH = 60;
/** The name of an author may have rank and figures beside it. */
const MAX_BOX_LENGTH = 200;
const AUTHOR_NAMES = toSet("author authors username user poster postedby nick nickname member creator commenter byline by owner");
/** What a user is called beside their name: "Member", "Moderator". */
const RANK_NAMES = toSet("title usertitle role rank badge");
const PROFILE = /(?:^|\/)(?:~|(?:users?|u|members?|profiles?|people|authors?)(?:[/?.-]|$))|[?&](?:u|user|author|showuser)=|action=profile/i;

/** Whether an element names the author of a post: by microdata, a link to a profile, or its own name. */
function isAuthor(element: PageElement): boolean {
  if (element.localName === "a" && PROFILE.test((element.getAttribute("href") ?? "").replace(/^https?:\/\/[^/]+/, ""))) return true;
  if (isNamed(element, RANK_NAMES)) return false;
  return element.getAttribute("itemprop") === "author" || element.getAttribute("rel") === "author" || isNamed(element, AUTHOR_NAMES);
}

/** Whether a text can be a name, and is not a figure about the author such as "563 posts". */
const isName = (text: string): boolean =>
  text.length > 1 && text.length <= MAX_NAME_LENGTH && /\p{L}/u.test(text) && !/^[\d.,]+k? /i.test(text);

/** Returns the name of an author, which stands first in their element, before their rank or figures. */
export function readName(author: PageElement): string {
  const first = [...author.childNodes].find((node) => isName(getText(node)));
  return first && isElement(first) ? readName(first) : getText(author);
}

/** Sorts the times of a post: those closest to its author first, because an edit has a time and an author too. */
export function sortByDistance(times: readonly PageElement[], author: PageElement | undefined): readonly PageElement[] {
  const steps = new Map<PageElement, number>();
  for (let up: PageElement | null = author ?? null; up; up = up.parentNode) steps.set(up, steps.size);
  const measure = (time: PageElement): number => {
    for (let up: PageElement | null = time; up; up = up.parentNode) if (steps.has(up)) return steps.get(up) ?? 0;
    return steps.size;
  };
  return times.toSorted((one, other) => measure(one) - measure(other));
}

/** Finds the elements that name an author, and contain none of the times. */
export function findAuthors(root: PageElement, times: ReadonlySet<PageElement>): ReadonlySet<PageElement> {
  const dated = new Set<PageElement | null>();
  for (const time of times) for (let up: PageElement | null = time; up && !dated.has(up); up = up.parentNode) dated.add(up);
  const isShort = (element: PageElement): boolean => getText(element).length <= MAX_BOX_LENGTH;
  const found = [...root.querySelectorAll("*")].filter((element) => !dated.has(element) && isAuthor(element) && isShort(element));
  return new Set(found.filter((element) => isName(readName(element))));
}
