import createPurifier from "dompurify";
import { getSafeUrl } from "../links.ts";

const TAGS = "div p br h3 h4 h5 h6 ul ol li blockquote pre code em strong del hr a table thead tbody tr th td".split(" ");

/**
 * Sanitises untrusted HTML: basic text elements only, without images, forms, styles, classes or ids. Links open http or https addresses
 * in a new tab without a referrer.
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
