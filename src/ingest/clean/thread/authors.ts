import { getText, type PageElement } from "../dom.ts";
import { isNamed, toSet } from "../prune/names.ts";

const MAX_NAME_LENGTH = 60;
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

const isName = (text: string): boolean => text.length > 1 && text.length <= MAX_NAME_LENGTH && /\p{L}/u.test(text);

/** Returns the elements that name an author and nothing else, among those given. */
export const findAuthors = (elements: readonly PageElement[], times: ReadonlySet<PageElement>): PageElement[] => {
  const dated = new Set<PageElement | null>();
  for (const element of elements)
    if (times.has(element)) for (let up: PageElement | null = element; up && !dated.has(up); up = up.parentNode) dated.add(up);
  return elements.filter((element) => !dated.has(element) && isAuthor(element) && isName(getText(element)));
};
