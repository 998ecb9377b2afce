import type { OutputSection } from "#domain/answers/generation.ts";

/** How a piece of one kind is made, with a model and without one. */
export type Asset = {
  /** What it is called in a sentence, such as `a short video`. */
  readonly name: string;
  /** What a good one is made of; told to a model. */
  readonly brief: string;
  /** Most sections, and most Unicode code points of one section's text. */
  readonly mostSections: number;
  readonly longestText: number;
  /** What is assembled without a model: quotes in sections of this form. */
  readonly outline: {
    /** Heading of the section with the strongest quote; null where the piece just begins with it. */
    readonly opening: string | null;
    /** Heading of each further section; null: the theme's own. */
    readonly point: ((number: number) => string) | null;
    readonly points: number;
    /** Most quotes in one section, and the longest one in UTF-16 code units. */
    readonly quotes: number;
    readonly longestQuote: number;
  };
  /** The whole as light Markdown. */
  compose(title: string, sections: readonly Pick<OutputSection, "heading" | "text">[]): string;
};

const headed = ({ heading, text }: Pick<OutputSection, "heading" | "text">): string => (heading === "" ? text : `## ${heading}\n\n${text}`);

/** A title, and each section under its heading. */
export const composeDocument: Asset["compose"] = (title, sections) => [`# ${title}`, ...sections.map(headed)].join("\n\n");

/** The sections' texts alone, parted by an empty line. */
export const composePlain: Asset["compose"] = (_title, sections) => sections.map(({ text }) => text).join("\n\n");
