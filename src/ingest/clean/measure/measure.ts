import { DepthLimitError, type Measure, PageMeasurer } from "./page-measurer.ts";

export type { Measure };

/**
 * Counts the elements of a page and their depth, and collects its head and its text, in one pass. The time is proportional to the
 * length of the page, however deeply it is nested.
 */
export function measurePage(html: string): Measure {
  const measurer = new PageMeasurer();
  let rest = html;
  for (;;) {
    const parser = measurer.createParser();
    try {
      parser.end(rest);
      return measurer.result();
    } catch (error) {
      if (!(error instanceof DepthLimitError)) throw error;
      rest = rest.slice(parser.endIndex + 1);
      measurer.startSegment();
    }
  }
}
