import { isLongerThan } from "#domain/core/text.ts";
import {
  DEFAULT_IDEAS,
  type GenerationRequest,
  type GenerationResult,
  type Idea,
  type OutputSection,
  type SourceQuote,
} from "#domain/answers/generation.ts";
import type { KeySentence } from "#retrieval/key-passages/ranking.ts";
import { formatTableRows } from "#retrieval/answer/table-rows.ts";
import { findThemes, type Theme } from "#retrieval/key-passages/themes.ts";
import { ASSETS } from "./assets/all.ts";
import type { Asset } from "./assets/asset.ts";
import { type Material, nameOf } from "./material.ts";

/** Said with everything that was made without a model. */
const ASSEMBLED = "Assembled from the board's own sentences, word for word, since no language model is configured.";
const NOT_FOLLOWED = "Tone, audience and language can't be followed without one.";
const BESIDE = "Nothing in the connected content matches the prompt, so this is made of what the board as a whole is about.";
const FEWER = "The content holds no more distinct themes than these.";

const MAX_HEADING_LENGTH = 100;
/** Words of a script that one quote stands for, where a length in words is asked for. */
const WORDS_PER_POINT = 60;

/** Ideas from the distinct themes of the material, as many as asked for or as there are. Ids are made by `newIdeaId`. */
export function ideasFrom(
  material: Material,
  request: GenerationRequest,
  newIdeaId: () => string,
): Omit<GenerationResult, "contextTokens"> {
  const wanted = request.count ?? DEFAULT_IDEAS;
  const themes = findThemes(material.ranking, wanted);
  const titles = titlesOf(themes, material);
  const ideas = themes.map((theme, at): Idea => {
    const quotes = [theme.lead, ...theme.support].map((sentence) => quoteOf(material, sentence));
    const form = request.assetType === undefined ? "" : ` Told as ${ASSETS[request.assetType].name}.`;
    return {
      id: newIdeaId(),
      title: titles[at] as string,
      hook: readableText(material, theme.lead),
      angle: `${angleOf(theme, material)}${form}`,
      rationale: rationaleOf(theme, material),
      citations: quotes,
    };
  });
  const notices = [ASSEMBLED, ...(material.isBeside ? [BESIDE] : []), ...(ideas.length < wanted ? [FEWER] : [])];
  return { mode: "extractive", output: null, ideas, citations: distinctQuotes(ideas), notice: notices.join(" ") };
}

/** The outline of a piece: its sections hold quotes and nothing else. */
export function outlineFrom(
  material: Material,
  asset: Asset,
  request: GenerationRequest,
  idea: Idea | null,
): Omit<GenerationResult, "contextTokens"> | null {
  const { outline } = asset;
  const most = pointsOf(request, outline.points);
  const themes = findThemes(fitting(material, outline.longestQuote), most);
  const [first, ...rest] = themes;
  if (first === undefined) return null;
  const titles = titlesOf(themes, material);
  const section = (heading: string, sentences: readonly KeySentence[]): OutputSection => ({
    heading,
    text: sentences.map((sentence) => readableText(material, sentence)).join("\n\n"),
    citations: sentences.map((sentence) => quoteOf(material, sentence)),
  });
  const bodies = [{ theme: first, sentences: first.support, title: titles[0] as string }]
    .concat(rest.map((theme, at) => ({ theme, sentences: [theme.lead, ...theme.support], title: titles[at + 1] as string })))
    .map(({ sentences, ...body }) => ({ ...body, sentences: sentences.slice(0, outline.quotes) }))
    .filter(({ sentences }) => sentences.length > 0);
  const sections = [
    section(outline.opening ?? "", [first.lead]),
    ...bodies.map(({ sentences, title }, at) => section(outline.point === null ? title : outline.point(at + 1), sentences)),
  ].slice(0, asset.mostSections);
  const title = idea?.title ?? (titles[0] as string);
  const wishes = [request.tone, request.audience, request.language].some((wish) => wish !== undefined);
  const notices = [ASSEMBLED, ...(wishes ? [NOT_FOLLOWED] : []), ...(material.isBeside ? [BESIDE] : [])];
  return {
    mode: "extractive",
    output: { title, text: asset.compose(title, sections), sections },
    ideas: null,
    citations: distinctQuotes(sections),
    notice: notices.join(" "),
  };
}

/** The material's ranking without sentences that are too long for the piece. */
const fitting = ({ ranking }: Material, longest: number): Material["ranking"] => ({
  ...ranking,
  sentences: ranking.sentences.filter(({ text }) => !isLongerThan(text, longest)),
});

function pointsOf({ length }: GenerationRequest, usual: number): number {
  if (typeof length === "number") return Math.max(2, Math.min(2 * usual, Math.round(length / WORDS_PER_POINT)));
  if (length !== undefined && /\b(?:short|brief)/i.test(length)) return Math.max(2, Math.ceil(usual / 2));
  if (length !== undefined && /\blong/i.test(length)) return Math.ceil(usual * 1.5);
  return usual;
}

function quoteOf({ texts }: Material, sentence: KeySentence): SourceQuote {
  const { tile, start } = texts[sentence.source] as Material["texts"][number];
  const { id: tileId, title, type, sourceUrl } = tile;
  return { tileId, title, type, sourceUrl, quote: sentence.text, start: start + sentence.start, end: start + sentence.end };
}

/** A sentence as it reads outside of its tile; where it is a row of a table, its cells are written out. */
function readableText({ texts }: Material, { source, text, start }: KeySentence): string {
  return formatTableRows(text, texts[source]?.text, start);
}

/** Every quote once, in the order in which they come. */
export function distinctQuotes(parts: readonly { readonly citations: readonly SourceQuote[] }[]): SourceQuote[] {
  const all = parts.flatMap(({ citations }) => citations);
  return [...new Map(all.map((citation) => [`${citation.tileId} ${citation.start} ${citation.end}`, citation])).values()];
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `a, b and c`. */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** A title for each theme, no two the same: the heading or the tile that its lead stands under, else what it is about. */
function titlesOf(themes: readonly Theme[], { texts }: Material): string[] {
  const used = new Set<string>();
  return themes.map(({ lead, words }) => {
    const name = nameOf(texts[lead.source]?.tile.title ?? "");
    const about = capitalised(listed(words));
    const [start = ""] = lead.text.match(/^.{1,60}(?=\s|$)/su) ?? [lead.text.slice(0, 60)];
    const choices = [lead.heading ?? "", name, about, `${name}: ${listed(words)}`, start].map((choice) => choice.trim());
    const title =
      choices.find((choice) => choice !== "" && choice.length <= MAX_HEADING_LENGTH && !used.has(choice.toLowerCase())) ?? start;
    used.add(title.toLowerCase());
    return title;
  });
}

/** The titles of tiles, each tile once. */
const tilesOf = (sources: readonly number[], { texts }: Material): string[] => [
  ...new Map(
    sources.map((source) => texts[source]?.tile).flatMap((tile) => (tile === undefined ? [] : [[tile.id, tile.title] as const])),
  ).values(),
];

function angleOf(theme: Theme, material: Material): string {
  const about = theme.words.length === 0 ? "this" : listed(theme.words);
  const cited = [theme.lead, ...theme.support].map(({ source }) => source);
  const tiles = tilesOf(cited, material).length;
  const figure = /\p{N}/u.test(theme.lead.text) ? " Its hook has a figure to lead with." : "";
  if (tiles > 1) return `Set side by side what ${tiles} tiles say about ${about}.${figure}`;
  if (theme.support.length > 0) return `Go from the main point about ${about} to the details that one tile gives.${figure}`;
  return `Make one point about ${about}, in the words of its source.${figure}`;
}

const NAMED = 3;

function rationaleOf(theme: Theme, material: Material): string {
  const titles = tilesOf(theme.sources, material);
  const names = titles.slice(0, NAMED).map((title) => `“${title}”`);
  const more = titles.length > NAMED ? [`${titles.length - NAMED} more`] : [];
  const count = titles.length === 1 ? "One tile treats" : `${titles.length} tiles treat`;
  const support =
    theme.support.length === 0
      ? ""
      : ` ${theme.support.length === 1 ? "One more key sentence supports" : `${theme.support.length} more key sentences support`} it.`;
  return `${count} this: ${listed([...names, ...more])}.${support}`;
}
