import { Fragment, type ReactNode } from "react";

/** A sentence of the interface whose words in “ ” are somebody's own: they run in their own direction and turn nothing around them. */
export const isolateQuotes = (sentence: string): ReactNode =>
  sentence.split(/(?<=“)([^”]*)(?=”)/).map((part, index) =>
    // Every second part is what stood between the marks.
    index % 2 === 1 ? <bdi key={index}>{part}</bdi> : <Fragment key={index}>{part}</Fragment>,
  );
