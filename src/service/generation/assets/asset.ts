import type { OutputSection } from "#domain/answers/generation.ts";

/** How an asset of one type is generated, with a language model and without. */
export type Asset = {
  /** The name in a sentence, such as `a short video`. */
  readonly name: string;
  /** Instructions for the model: structure, length and style. */
  readonly brief: string;
  /** Maximum number of sections, and of Unicode code points in the text of a section. */
  readonly maxSections: number;
  readonly maxTextLength: number;
  /** The outline assembled without a model: sections of quotes. */
  readonly outline: {
    /** Heading of the section with the strongest quote; null for no heading. */
    readonly opening: string | null;
    /** Returns the heading of each further section; null uses the title of its theme. */
    readonly point: ((number: number) => string) | null;
    readonly points: number;
    /** Maximum number of quotes in a section, and maximum length of a quote in UTF-16 code units. */
    readonly quotes: number;
    readonly maxQuoteLength: number;
  };
  /** Joins title and sections into one text in simple Markdown. */
  compose(title: string, sections: readonly Pick<OutputSection, "heading" | "text">[]): string;
};

const renderSection = ({ heading, text }: Pick<OutputSection, "heading" | "text">): string =>
  heading === "" ? text : `## ${heading}\n\n${text}`;

/** Renders the title, and each section under its heading. */
export const composeDocument: Asset["compose"] = (title, sections) => [`# ${title}`, ...sections.map(renderSection)].join("\n\n");

/** Renders the texts of the sections only, separated by empty lines. */
export const composePlain: Asset["compose"] = (_title, sections) => sections.map(({ text }) => text).join("\n\n");
