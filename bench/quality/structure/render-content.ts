import type { Content } from "./marks.ts";

/** Writes a content as a publishing system does. Boilerplate that the system inserts is marked with `{{…}}`. */
type Renderer = (html: string, lang: string) => string;

/** Adds a class to every element of a name that has none. */
const addClass = (html: string, tag: string, name: string): string => html.replaceAll(`<${tag}>`, `<${tag} class="${name}">`);

/** Inserts HTML after the n-th paragraph at the top level. */
function insertAfter(html: string, paragraph: number, inserted: string): string {
  let at = 0;
  return html.replace(/^<p>.*<\/p>$/gm, (whole) => (++at === paragraph ? `${whole}\n${inserted}` : whole));
}

const toSlug = (text: string): string => text.replace(/<[^>]+>/g, "").replace(/[^\p{L}\p{N}]+/gu, "-");

const EDIT: Readonly<Record<string, string>> = { en: "edit", fr: "modifier le code" };
const AD: Readonly<Record<string, readonly [string, string]>> = {
  en: ["Article continues below", "Read more: Ten years of the night market"],
  fr: ["La suite après cette publicité", "À lire aussi : le marché de nuit a dix ans"],
  ar: ["إعلان ممول", "اقرأ أيضا: عشر سنوات على السوق الليلي"],
};

const renderNews: Renderer = (html, lang) => {
  const [label = "", teaser = ""] = AD[lang] ?? [];
  const ad = `<div class="ad-slot ad-slot--inline" data-ad-unit="inarticle"><span class="ad-slot__label">{{${label}}}</span></div>`;
  const more = `<aside class="read-more" data-component="related"><a href="/related/118">{{${teaser}}}</a></aside>`;
  const body = insertAfter(insertAfter(html, 4, more), 2, ad);
  return addClass(body, "p", "article__paragraph");
};

const renderWordpress: Renderer = (html) => {
  const tables = html
    .replace(/<table(?: class="[^"]*")?>/g, '<figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout">')
    .replaceAll("</table>", "</table></figure>");
  // The editor has no block for nested tables.
  const body = /<table[^>]*border/.test(html) || html.includes("highlighttable") ? html : tables;
  return addClass(addClass(addClass(body, "h2", "wp-block-heading"), "h3", "wp-block-heading"), "pre", "wp-block-code");
};

const renderWiki: Renderer = (html, lang) =>
  addClass(html, "table", "wikitable").replace(
    /<h([23])>(.*?)<\/h\1>/g,
    (_whole, level: string, text: string) =>
      `<div class="mw-heading mw-heading${level}"><h${level} id="${toSlug(text)}">${text}</h${level}><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w/index.php?action=edit"><span>{{${EDIT[lang] ?? "edit"}}}</span></a><span class="mw-editsection-bracket">]</span></span></div>`,
  );

/** Adds to each heading the mark that links to it. */
const linkHeadings =
  (name: string, mark: string): Renderer =>
  (html) =>
    html.replace(
      /<h([23])>(.*?)<\/h\1>/g,
      (_whole, level: string, text: string) =>
        `<h${level} id="${toSlug(text)}">${text}<a class="${name}" href="#${toSlug(text)}" title="Permanent link">${mark}</a></h${level}>`,
    );

const renderCodeLines = (code: string): string =>
  code
    .split("\n")
    .map((line) => `<span class="token-line" style="color:#393A34"><span class="token plain">${line}</span><br></span>`)
    .join("");

const renderDocusaurus: Renderer = (html, lang) =>
  linkHeadings("hash-link", "\u200b")(html, lang).replace(
    /<pre><code(?: class="(language-\w+)")?>([\s\S]*?)<\/code><\/pre>/g,
    (_whole, language: string | undefined, code: string) =>
      `<div class="${language ?? "language-text"} codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code ${language ?? ""} codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv">${renderCodeLines(code)}</code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" class="clean-btn"><span class="copyButtonIcons_eSgA" aria-hidden="true"></span></button></div></div></div>`,
  );

const renderSphinx: Renderer = (html, lang) =>
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

const renderSoup: Renderer = (html) => SOUP.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), html);

const FONT = '<FONT FACE="Verdana, Arial" SIZE="2">';
const renderOldTable: Renderer = (html) =>
  html
    .replace(/<p>([\s\S]*?)<\/p>/g, `<P>${FONT}$1</FONT></P>`)
    .replace(/<h[23]>(.*?)<\/h[23]>/g, '<P><FONT FACE="Verdana, Arial" SIZE="3" COLOR="#663300"><B>$1</B></FONT></P>')
    .replace(/<table(?: class="[^"]*")?>/g, '<CENTER><TABLE BORDER="1" CELLPADDING="3" CELLSPACING="0" WIDTH="90%">')
    .replace(/<\/table>(?![\s\S]*<\/td>)/g, (end) => (/<table [bw]/.test(html) ? end : "</TABLE></CENTER>"))
    .replace(/<td>([^<]*)<\/td>/g, `<TD>${FONT}$1</FONT></TD>`)
    .replace(/<th>([^<]*)<\/th>/g, `<TD BGCOLOR="#CCCC99">${FONT}<B>$1</B></FONT></TD>`);

const renderPortal: Renderer = (html, lang) => {
  if (lang !== "en") return html;
  const body = addClass(addClass(addClass(html, "p", "govuk-body"), "h2", "govuk-heading-m"), "ul", "govuk-list govuk-list--bullet");
  return addClass(addClass(addClass(body, "table", "govuk-table"), "td", "govuk-table__cell"), "th", "govuk-table__header");
};

const renderBootstrap: Renderer = (html) =>
  addClass(
    html
      .replace(/<table(?: class="[^"]*")?>/g, '<div class="table-responsive"><table class="table table-striped align-middle">')
      .replaceAll("</table>", "</table></div>"),
    "h2",
    "h4 mt-4 mb-3",
  );

const RENDERERS: Readonly<Record<string, Renderer>> = {
  news: renderNews,
  wordpress: renderWordpress,
  mediawiki: renderWiki,
  docs: linkHeadings("headerlink", "&para;"),
  docusaurus: renderDocusaurus,
  sphinx: renderSphinx,
  divsoup: renderSoup,
  oldtable: renderOldTable,
  portal: renderPortal,
  "portal-joomla": (html) => html,
  bootstrap: renderBootstrap,
};

/** Returns the HTML of a content as the publishing system of a layout writes it; `shop` and `plain` do not change it. */
export function renderContent(layout: string, { html, lang }: Content): string {
  const [system = layout] = layout.split("-");
  const render = RENDERERS[layout] ?? RENDERERS[system];
  return render === undefined ? html : render(html, lang);
}
