import { buildSnippet } from "./snippet.ts";
import type { Span } from "./offset-map.ts";

type SnippetProps = {
  readonly quote: string;
  readonly highlights: readonly Span[];
  readonly maxLength?: number;
  readonly className: string;
};

/** A part of a quote with its highlights marked. */
export function Snippet({ quote, highlights, maxLength, className }: SnippetProps) {
  return (
    <span dir="auto" className={className}>
      {buildSnippet(quote, highlights, maxLength).map((part, index) =>
        part.isHit ? (
          <mark key={index} className="text-ink">
            {part.text}
          </mark>
        ) : (
          <span key={index}>{part.text}</span>
        ),
      )}
    </span>
  );
}
