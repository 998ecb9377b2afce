import type { Answer, Citation, Generation } from "@tessera/sdk";
import { durationOf } from "../../ui/time/times.ts";

/** An answer with its sources as light Markdown, to be copied or kept as a tile. */
export function answerDocument(question: string, { answer, citations }: Pick<Answer, "answer" | "citations">): string {
  return [`**${question.trim()}**`, answer, sourcesOf(citations)].filter((part) => part !== "").join("\n\n");
}

/** A piece, or a list of ideas, with its sources as light Markdown. */
export function generationDocument({ output, ideas, citations = [] }: Generation): string {
  const ideaText = (ideas ?? []).map(
    ({ title, hook, angle, rationale }) => `## ${title}\n${[hook, angle, rationale].filter((part) => part !== "").join("\n\n")}`,
  );
  return [output?.text ?? "", ...ideaText, sourcesOf(citations)].filter((part) => part !== "").join("\n\n");
}

function sourcesOf(citations: readonly Citation[]): string {
  if (citations.length === 0) return "";
  const rows = citations.map(({ title, quote, sourceUrl, seconds }, index) => {
    const at = seconds === undefined ? "" : `, at ${durationOf(seconds)}`;
    return `${index + 1}. ${title}${at}: “${quote.replace(/\s+/g, " ").trim()}”${sourceUrl === null ? "" : ` ${sourceUrl}`}`;
  });
  return ["Sources", ...rows].join("\n");
}
