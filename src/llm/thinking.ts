const OPEN = "<think>";
const CLOSE = "</think>";

/** Words as they come, without those that a model thinks aloud. */
export type ThinkingFilter = { push(piece: string): string; end(): string };

/**
 * Leaves out what stands between `<think>` and `</think>` at the very beginning: there models that reason write down their thoughts
 * where their server does not part them from the answer. Tags further on are the answer's own.
 */
export function createThinkingFilter(): ThinkingFilter {
  let held = "";
  let state: "beginning" | "thinking" | "answering" = "beginning";
  return {
    push(piece) {
      if (state === "answering") return piece;
      held += piece;
      if (state === "beginning") {
        const begun = held.trimStart();
        if (OPEN.startsWith(begun.slice(0, OPEN.length)) && begun.length < OPEN.length) return "";
        state = begun.startsWith(OPEN) ? "thinking" : "answering";
      }
      if (state === "thinking") {
        const close = held.indexOf(CLOSE);
        if (close < 0) {
          // So much as the closing tag may have begun in.
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

/** The same for a text that is there as a whole. */
export function withoutThinking(text: string): string {
  const filter = createThinkingFilter();
  return filter.push(text) + filter.end();
}
