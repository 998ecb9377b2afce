import type { Content } from "./marks.ts";

/** How a publishing system writes the elements of a content. Boilerplate that it sets between them is marked with `{{…}}`. */
type Dress = (html: string, lang: string) => string;

/** Adds a class to every element of a name that has none. */
const addClass = (html: string, tag: string, name: string): string => html.replaceAll(`<${tag}>`, `<${tag} class="${name}">`);

/** Sets something behind the n-th paragraph that stands at the top level. */
function insertBehind(html: string, paragraph: number, inserted: string): string {
  let at = 0;
  return html.replace(/^<p>.*<\/p>$/gm, (whole) => (++at === paragraph ? `${whole}\n${inserted}` : whole));
}

const slugOf = (text: string): string => text.replace(/<[^>]+>/g, "").replace(/[^\p{L}\p{N}]+/gu, "-");

const EDIT: Readonly<Record<string, string>> = { en: "edit", fr: "modifier le code" };
const AD: Readonly<Record<string, readonly [string, string]>> = {
  en: ["Article continues below", "Read more: Ten years of the night market"],
  fr: ["La suite après cette publicité", "À lire aussi : le marché de nuit a dix ans"],
  ar: ["إعلان ممول", "اقرأ أيضا: عشر سنوات على السوق الليلي"],
};

const dressNews: Dress = (html, lang) => {
  const [label = "", teaser = ""] = AD[lang] ?? [];
  const ad = `<div class="ad-slot ad-slot--inline" data-ad-unit="inarticle"><span class="ad-slot__label">{{${label}}}</span></div>`;
  const more = `<aside class="read-more" data-component="related"><a href="/related/118">{{${teaser}}}</a></aside>`;
  const body = insertBehind(insertBehind(html, 4, more), 2, ad);
  return addClass(body, "p", "article__paragraph");
};

const dressWordpress: Dress = (html) => {
  const tables = html
    .replace(/<table(?: class="[^"]*")?>/g, '<figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout">')
    .replaceAll("</table>", "</table></figure>");
  // A table inside a table is no block of the editor.
  const body = /<table[^>]*border/.test(html) || html.includes("highlighttable") ? html : tables;
  return addClass(addClass(addClass(body, "h2", "wp-block-heading"), "h3", "wp-block-heading"), "pre", "wp-block-code");
};

const dressWiki: Dress = (html, lang) =>
  addClass(html, "table", "wikitable").replace(
    /<h([23])>(.*?)<\/h\1>/g,
    (_whole, level: string, text: string) =>
      `<div class="mw-heading mw-heading${level}"><h${level} id="${slugOf(text)}">${text}</h${level}><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w/index.php?action=edit"><span>{{${EDIT[lang] ?? "edit"}}}</span></a><span class="mw-editsection-bracket">]</span></span></div>`,
  );

/** Headings with the mark that links to them. */
const linkHeadings =
  (name: string, mark: string): Dress =>
  (html) =>
    html.replace(
      /<h([23])>(.*?)<\/h\1>/g,
      (_whole, level: string, text: string) =>
        `<h${level} id="${slugOf(text)}">${text}<a class="${name}" href="#${slugOf(text)}" title="Permanent link">${mark}</a></h${level}>`,
    );

const codeLines = (code: string): string =>
  code
    .split("\n")
    .map((line) => `<span class="token-line" style="color:#393A34"><span class="token plain">${line}</span><br></span>`)
    .join("");

const dressDocusaurus: Dress = (html, lang) =>
  linkHeadings("hash-link", "\u200b")(html, lang).replace(
    /<pre><code(?: class="(language-\w+)")?>([\s\S]*?)<\/code><\/pre>/g,
    (_whole, language: string | undefined, code: string) =>
      `<div class="${language ?? "language-text"} codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code ${language ?? ""} codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv">${codeLines(code)}</code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" class="clean-btn"><span class="copyButtonIcons_eSgA" aria-hidden="true"></span></button></div></div></div>`,
  );

const dressSphinx: Dress = (html, lang) =>
  addClass(linkHeadings("headerlink", "&#xf0c1;")(html, lang), "table", "docutils align-default").replace(
    /<pre><code(?: class="language-(\w+)")?>([\s\S]*?)<\/code><\/pre>/g,
    (_whole, language: string | undefined, code: string) =>
      `<div class="highlight-${language ?? "default"} notranslate"><div class="highlight"><pre><span></span>${code}\n</pre></div></div>`,
  );

const SOUP: readonly (readonly [RegExp, string])[] = [
  [/<p>/g, '<div class="mt-4 text-base leading-7 text-slate-700">'],
  [/<\/p>/g, "</div>"],
  [/<h2(?: class="[^"]*")?>/g, '<div class="mt-10 text-2xl font-semibold tracking-tight">'],
  [/<h3(?: class="[^"]*")?>/g, '<div class="mt-8 text-xl font-medium">'],
  [/<\/h[23]>/g, "</div>"],
  [/<(section|aside|figure|figcaption|address)\b([^>]*)>/g, "<div$2>"],
  [/<\/(section|aside|figure|figcaption|address)>/g, "</div>"],
  [/<table(?: class="[^"]*")?>/g, '<div class="overflow-x-auto"><table class="w-full border-collapse text-left text-sm">'],
  [/<\/table>/g, "</table></div>"],
  [/<ul>/g, '<ul class="mt-4 list-disc space-y-2 pl-6">'],
];

const dressSoup: Dress = (html) => SOUP.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), html);

const FONT = '<FONT FACE="Verdana, Arial" SIZE="2">';
const dressOld: Dress = (html) =>
  html
    .replace(/<p>([\s\S]*?)<\/p>/g, `<P>${FONT}$1</FONT></P>`)
    .replace(/<h[23]>(.*?)<\/h[23]>/g, '<P><FONT FACE="Verdana, Arial" SIZE="3" COLOR="#663300"><B>$1</B></FONT></P>')
    .replace(/<table(?: class="[^"]*")?>/g, '<CENTER><TABLE BORDER="1" CELLPADDING="3" CELLSPACING="0" WIDTH="90%">')
    .replace(/<\/table>(?![\s\S]*<\/td>)/g, (end) => (/<table [bw]/.test(html) ? end : "</TABLE></CENTER>"))
    .replace(/<td>([^<]*)<\/td>/g, `<TD>${FONT}$1</FONT></TD>`)
    .replace(/<th>([^<]*)<\/th>/g, `<TD BGCOLOR="#CCCC99">${FONT}<B>$1</B></FONT></TD>`);

const dressPortal: Dress = (html, lang) => {
  if (lang !== "en") return html;
  const body = addClass(addClass(addClass(html, "p", "govuk-body"), "h2", "govuk-heading-m"), "ul", "govuk-list govuk-list--bullet");
  return addClass(addClass(addClass(body, "table", "govuk-table"), "td", "govuk-table__cell"), "th", "govuk-table__header");
};

const dressBootstrap: Dress = (html) =>
  addClass(
    html
      .replace(/<table(?: class="[^"]*")?>/g, '<div class="table-responsive"><table class="table table-striped align-middle">')
      .replaceAll("</table>", "</table></div>"),
    "h2",
    "h4 mt-4 mb-3",
  );

const DRESSES: Readonly<Record<string, Dress>> = {
  news: dressNews,
  wordpress: dressWordpress,
  mediawiki: dressWiki,
  docs: linkHeadings("headerlink", "&para;"),
  docusaurus: dressDocusaurus,
  sphinx: dressSphinx,
  divsoup: dressSoup,
  oldtable: dressOld,
  portal: dressPortal,
  "portal-joomla": (html) => html,
  bootstrap: dressBootstrap,
};

/** Returns the HTML of a content as the publishing system of a layout writes it; `shop` and `plain` do not change it. */
export function dressContent(layout: string, { html, lang }: Content): string {
  const [system = layout] = layout.split("-");
  const dress = DRESSES[layout] ?? DRESSES[system];
  return dress === undefined ? html : dress(html, lang);
}
