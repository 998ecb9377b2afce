import { type WebPage, readWebPage } from "#http/public/web-page.ts";
import { packagePath } from "#runtime/files/package.ts";

/** The builds of the web page. */
const WEB_DIST = packagePath("#web/dist");
/** Source files run in a clone only, where the page is built by a command. A package contains it. */
const IS_PACKAGED = !import.meta.filename.endsWith(".ts");

/** Reads the web page. Returns null in a clone without a build, and throws for a package without its page. */
export function readBuiltPage(dist = WEB_DIST, isPackaged = IS_PACKAGED): WebPage {
  const page = readWebPage(dist);
  if (page === null && isPackaged)
    throw new Error(`This copy of Tessera is incomplete, as the web page is missing in ${dist}: install it again.`);
  return page;
}
