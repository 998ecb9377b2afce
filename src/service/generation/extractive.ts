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
import type { Steps } from "#retrieval/key-passages/steps.ts";
import { findThemes, type Theme } from "#retrieval/key-passages/themes.ts";
import { ASSETS } from "./assets/all.ts";
import type { Asset } from "./assets/asset.ts";
import { type Material, getMeaningfulTitle } from "./material.ts";

/** The notice of every result assembled without a model. */
const ASSEMBLED = "Assembled from sentences of the board, quoted verbatim, because no language model is configured.";
const STYLE_IGNORED = "Tone, audience and language have no effect without one.";
const NO_MATCH = "No connected content matches the prompt, so this covers the main topics of the board instead.";
const FEWER_THEMES = "The content has no more distinct themes.";

const MAX_HEADING_LENGTH = 100;
/** Approximate words per quote, to convert a requested length in words into a number of quotes. */
const WORDS_PER_POINT = 60;

/** Creates ideas from the distinct themes of the material, at most as many as requested. `newIdeaId` creates their ids. */
export function* extractIdeas(
  material: Material,
  request: GenerationRequest,
  newIdeaId: () => string,
): Steps<Omit<GenerationResult, "contextTokens">> {
  const requested = request.count ?? DEFAULT_IDEAS;
  const themes = yield* findThemes(material.ranking, requested);
  const titles = chooseTitles(themes, material);
  const ideas = themes.map((theme, at): Idea => {
    const quotes = [theme.lead, ...theme.support].map((sentence) => toQuote(material, sentence));
    const format = request.assetType === undefined ? "" : ` Told as ${ASSETS[request.assetType].name}.`;
    return {
      id: newIdeaId(),
      title: titles[at] as string,
      hook: toReadableText(material, theme.lead),
      angle: `${describeAngle(theme, material)}${format}`,
      rationale: describeRationale(theme, material),
      citations: quotes,
    };
  });
  const notices = [ASSEMBLED, ...(material.isUnmatched ? [NO_MATCH] : []), ...(ideas.length < requested ? [FEWER_THEMES] : [])];
  return { mode: "extractive", output: null, ideas, citations: distinctQuotes(ideas), notice: notices.join(" ") };
}

/** Creates an outline whose sections contain quotes only. Returns null when the material has no sentence that fits. */
export function* extractOutline(
  material: Material,
  asset: Asset,
  request: GenerationRequest,
  idea: Idea | null,
): Steps<Omit<GenerationResult, "contextTokens"> | null> {
  const { outline } = asset;
  const maxThemes = countPoints(request, outline.points);
  const themes = yield* findThemes(withoutLongSentences(material, outline.maxQuoteLength), maxThemes);
  const [first, ...rest] = themes;
  if (first === undefined) return null;
  const titles = chooseTitles(themes, material);
  const section = (heading: string, sentences: readonly KeySentence[]): OutputSection => ({
    heading,
    text: sentences.map((sentence) => toReadableText(material, sentence)).join("\n\n"),
    citations: sentences.map((sentence) => toQuote(material, sentence)),
  });
  const bodies = [{ theme: first, sentences: first.support, title: titles[0] as string }]
    .concat(rest.map((theme, at) => ({ theme, sentences: [theme.lead, ...theme.support], title: titles[at + 1] as string })))
    .map(({ sentences, ...body }) => ({ ...body, sentences: sentences.slice(0, outline.quotes) }))
    .filter(({ sentences }) => sentences.length > 0);
  const sections = [
    section(outline.opening ?? "", [first.lead]),
    ...bodies.map(({ sentences, title }, at) => section(outline.point === null ? title : outline.point(at + 1), sentences)),
  ].slice(0, asset.maxSections);
  const title = idea?.title ?? (titles[0] as string);
  const hasStyleOptions = [request.tone, request.audience, request.language].some((option) => option !== undefined);
  const notices = [ASSEMBLED, ...(hasStyleOptions ? [STYLE_IGNORED] : []), ...(material.isUnmatched ? [NO_MATCH] : [])];
  return {
    mode: "extractive",
    output: { title, text: asset.compose(title, sections), sections },
    ideas: null,
    citations: distinctQuotes(sections),
    notice: notices.join(" "),
  };
}

/** Returns the ranking without sentences that are too long for the asset. */
const withoutLongSentences = ({ ranking }: Material, maxLength: number): Material["ranking"] => ({
  ...ranking,
  sentences: ranking.sentences.filter(({ text }) => !isLongerThan(text, maxLength)),
});

/** Converts the requested length into a number of points; `usual` is the default of the asset. */
function countPoints({ length }: GenerationRequest, usual: number): number {
  if (typeof length === "number") return Math.max(2, Math.min(2 * usual, Math.round(length / WORDS_PER_POINT)));
  if (length !== undefined && /\b(?:short|brief)/i.test(length)) return Math.max(2, Math.ceil(usual / 2));
  if (length !== undefined && /\blong/i.test(length)) return Math.ceil(usual * 1.5);
  return usual;
}

function toQuote({ texts }: Material, sentence: KeySentence): SourceQuote {
  const { tile, start } = texts[sentence.source] as Material["texts"][number];
  const { id: tileId, title, type, sourceUrl } = tile;
  return { tileId, title, type, sourceUrl, quote: sentence.text, start: start + sentence.start, end: start + sentence.end };
}

/** Returns a sentence in a form that is readable outside its tile. Table rows become prose. */
function toReadableText({ texts }: Material, { source, text, start }: KeySentence): string {
  return formatTableRows(text, texts[source]?.text, start);
}

/** Returns the distinct quotes of all parts in their order. */
export function distinctQuotes(parts: readonly { readonly citations: readonly SourceQuote[] }[]): SourceQuote[] {
  const all = parts.flatMap(({ citations }) => citations);
  return [...new Map(all.map((citation) => [`${citation.tileId} ${citation.start} ${citation.end}`, citation])).values()];
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `a, b and c`. */
const joinList = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Returns a distinct title for each theme: its heading, its tile's title, its key words, or the start of its lead sentence. */
function chooseTitles(themes: readonly Theme[], { texts }: Material): string[] {
  const used = new Set<string>();
  return themes.map(({ lead, words }) => {
    const name = getMeaningfulTitle(texts[lead.source]?.tile.title ?? "");
    const about = capitalise(joinList(words));
    const [start = ""] = lead.text.match(/^.{1,60}(?=\s|$)/su) ?? [lead.text.slice(0, 60)];
    const choices = [lead.heading ?? "", name, about, `${name}: ${joinList(words)}`, start].map((choice) => choice.trim());
    const title =
      choices.find((choice) => choice !== "" && choice.length <= MAX_HEADING_LENGTH && !used.has(choice.toLowerCase())) ?? start;
    used.add(title.toLowerCase());
    return title;
  });
}

/** Returns the title of each distinct tile. */
const getTileTitles = (sources: readonly number[], { texts }: Material): string[] => [
  ...new Map(
    sources.map((source) => texts[source]?.tile).flatMap((tile) => (tile === undefined ? [] : [[tile.id, tile.title] as const])),
  ).values(),
];

function describeAngle(theme: Theme, material: Material): string {
  const about = theme.words.length === 0 ? "this" : joinList(theme.words);
  const cited = [theme.lead, ...theme.support].map(({ source }) => source);
  const tiles = getTileTitles(cited, material).length;
  const figure = /\p{N}/u.test(theme.lead.text) ? " The hook contains a figure." : "";
  if (tiles > 1) return `Compare what ${tiles} tiles say about ${about}.${figure}`;
  if (theme.support.length > 0) return `Go from the main point about ${about} to the details that one tile gives.${figure}`;
  return `Make one point about ${about}, in the words of its source.${figure}`;
}

/** Tiles named in a rationale; the others are counted. */
const MAX_NAMED_TILES = 3;

function describeRationale(theme: Theme, material: Material): string {
  const titles = getTileTitles(theme.sources, material);
  const names = titles.slice(0, MAX_NAMED_TILES).map((title) => `“${title}”`);
  const more = titles.length > MAX_NAMED_TILES ? [`${titles.length - MAX_NAMED_TILES} more`] : [];
  const count = titles.length === 1 ? "One tile covers" : `${titles.length} tiles cover`;
  const support =
    theme.support.length === 0
      ? ""
      : ` ${theme.support.length === 1 ? "One more key sentence supports" : `${theme.support.length} more key sentences support`} it.`;
  return `${count} this theme: ${joinList([...names, ...more])}.${support}`;
}
