import createPurifier from "dompurify";
import { getSafeUrl } from "../links.ts";

const TAGS = "div p br h3 h4 h5 h6 ul ol li blockquote pre code em strong del hr a table thead tbody tr th td".split(" ");

/**
 * The nodes of HTML that was made of what others wrote: words and their order alone. No pictures, forms, styles, classes or ids; a link
 * leads to http or https, in a tab of its own which learns nothing of this page.
 */
export function sanitise(html: string): DocumentFragment {
  return PURIFIER.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "start"],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

const PURIFIER = createPurifier(window);
PURIFIER.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName !== "A") return;
  const address = getSafeUrl(node.getAttribute("href"));
  if (address === null) return node.removeAttribute("href");
  node.setAttribute("href", address);
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow");
});
