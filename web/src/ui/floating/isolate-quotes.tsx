import { Fragment, type ReactNode } from "react";

/** Isolates the text direction of user content in “ ” from the surrounding sentence. */
export const isolateQuotes = (sentence: string): ReactNode =>
  sentence.split(/(?<=“)([^”]*)(?=”)/).map((part, index) =>
    // Odd parts are the quoted texts.
    index % 2 === 1 ? <bdi key={index}>{part}</bdi> : <Fragment key={index}>{part}</Fragment>,
  );
