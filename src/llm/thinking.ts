const OPEN = "<think>";
const CLOSE = "</think>";

/** A filter for streamed text. */
export type ThinkingFilter = { push(chunk: string): string; end(): string };

/**
 * Removes `<think>…</think>` from the beginning of an answer: the reasoning of models whose server does not separate it. Later tags
 * belong to the answer.
 */
export function createThinkingFilter(): ThinkingFilter {
  let held = "";
  let state: "beginning" | "thinking" | "answering" = "beginning";
  return {
    push(chunk) {
      if (state === "answering") return chunk;
      held += chunk;
      if (state === "beginning") {
        const start = held.trimStart();
        if (OPEN.startsWith(start.slice(0, OPEN.length)) && start.length < OPEN.length) return "";
        state = start.startsWith(OPEN) ? "thinking" : "answering";
      }
      if (state === "thinking") {
        const close = held.indexOf(CLOSE);
        if (close < 0) {
          // Keep what may be the start of the closing tag.
          held = held.slice(-(CLOSE.length - 1));
          return "";
        }
        held = held.slice(close + CLOSE.length);
        state = "answering";
      }
      const answer = held;
      held = "";
      return answer;
    },
    end: () => (state === "beginning" ? held : ""),
  };
}

/** Applies the filter to a complete text. */
export function withoutThinking(text: string): string {
  const filter = createThinkingFilter();
  return filter.push(text) + filter.end();
}
