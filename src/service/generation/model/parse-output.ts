import type { Idea, OutputSection, SourceQuote } from "#domain/answers/generation.ts";
import { isLongerThan } from "#domain/core/text.ts";
import { createPromptLeakFilter } from "#retrieval/grounding/prompt-leak-filter.ts";
import { createSourceFinder } from "#retrieval/grounding/source-finder.ts";
import type { NumberedSource } from "#retrieval/grounding/prompt.ts";
import { sanitiseText } from "#retrieval/grounding/safe-text.ts";
import type { Asset } from "../assets/asset.ts";
import { ASSET, type CitationShape, type AssetShape, findMismatch, IDEAS, type IdeasShape } from "./output-schema.ts";

/** The input of the model call, which the output is checked against. */
export type ModelInput = { readonly sources: readonly NumberedSource[]; readonly system: string; readonly nonce: string };

/** Checked and sanitised model output, or a description of the problem for the model. */
export type ModelOutput<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const MAX_TITLE_LENGTH = 200;
const MAX_LINE_LENGTH = 1_000;
const MAX_PARAGRAPH_LENGTH = 4_000;
const MAX_CITATIONS = 20;
/** Quotes that may fail to match before further ones are ignored; each search scans its tile. */
const MAX_MISSES = 100;

const UNGROUNDED = "none of its citations occurs in its source; copy the words of the source verbatim";

const reject = (problem: string): { readonly ok: false; readonly problem: string } => ({ ok: false, problem });

/** Parses an asset from model output. Drops citations that are not in their source, and refuses an asset without any valid citation. */
export function parseAsset(
  value: unknown,
  asset: Asset,
  given: ModelInput,
): ModelOutput<{ readonly title: string; readonly sections: readonly OutputSection[] }> {
  const problem = findMismatch(ASSET, value);
  if (problem !== null) return reject(problem);
  const output = value as AssetShape;
  const { clean, findQuotes } = createReader(given);
  const title = toOneLine(clean(output.title));
  if (title === "") return reject("title must not be blank");
  if (isLongerThan(title, MAX_TITLE_LENGTH)) return reject(`title has more than ${MAX_TITLE_LENGTH} characters`);
  const sections = output.sections
    .map((section) => ({ heading: toOneLine(clean(section.heading)), text: clean(section.text), citations: findQuotes(section.citations) }))
    .filter(({ text }) => text !== "");
  if (sections.length === 0) return reject("sections must contain text");
  if (sections.length > asset.maxSections) return reject(`there are ${sections.length} sections; the maximum is ${asset.maxSections}`);
  const long = sections.findIndex(
    ({ heading, text }) => isLongerThan(text, asset.maxTextLength) || isLongerThan(heading, MAX_TITLE_LENGTH),
  );
  if (long >= 0)
    return reject(
      `section ${long + 1} is too long; the maximum is ${asset.maxTextLength} characters of text and ${MAX_TITLE_LENGTH} of heading`,
    );
  if (sections.every(({ citations }) => citations.length === 0)) return reject(UNGROUNDED);
  return { ok: true, value: { title, sections } };
}

/** Parses at most `max` ideas from model output. Drops ideas without a valid citation. */
export function parseIdeas(value: unknown, max: number, newIdeaId: () => string, given: ModelInput): ModelOutput<readonly Idea[]> {
  const problem = findMismatch(IDEAS, value);
  if (problem !== null) return reject(problem);
  const { clean, findQuotes } = createReader(given);
  const titles = new Set<string>();
  const ideas: Idea[] = [];
  for (const idea of (value as IdeasShape).ideas) {
    const title = toOneLine(clean(idea.title));
    const [hook, angle, rationale] = [clean(idea.hook), clean(idea.angle), clean(idea.rationale)];
    const citations = findQuotes(idea.citations);
    const isWhole = title !== "" && hook !== "" && citations.length > 0 && !titles.has(title.toLowerCase());
    const isShort =
      !isLongerThan(title, MAX_TITLE_LENGTH) &&
      !isLongerThan(hook, MAX_LINE_LENGTH) &&
      !isLongerThan(angle + rationale, MAX_PARAGRAPH_LENGTH);
    if (!isWhole || !isShort || ideas.length >= max) continue;
    titles.add(title.toLowerCase());
    ideas.push({ id: newIdeaId(), title, hook, angle, rationale, citations });
  }
  if (ideas.length > 0) return { ok: true, value: ideas };
  return reject((value as IdeasShape).ideas.length === 0 ? "it contains no ideas" : UNGROUNDED);
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function createReader({ sources, system, nonce }: ModelInput) {
  const allowed = new Set(sources.flatMap(({ sourceUrl }) => (sourceUrl === null ? [] : [sourceUrl])));
  const guard = createPromptLeakFilter(system, nonce);
  const findQuote = createSourceFinder(sources);
  let misses = 0;

  function find({ source, quote }: CitationShape): SourceQuote[] {
    if (misses >= MAX_MISSES) return [];
    const found = findQuote(source, quote);
    if (found === null) misses++;
    return found === null || found === undefined ? [] : [found];
  }

  return {
    /** Removes pictures, tags, URLs that are not a source's, and text of our own instructions. */
    clean(text: string): string {
      const safe = sanitiseText(text.toWellFormed(), allowed);
      return (guard.push(safe) + guard.end()).trim();
    },
    findQuotes: (citations: readonly CitationShape[]): SourceQuote[] => {
      const found = citations.slice(0, MAX_CITATIONS).flatMap(find);
      return [...new Map(found.map((quote) => [`${quote.tileId} ${quote.start} ${quote.end}`, quote])).values()];
    },
  };
}
