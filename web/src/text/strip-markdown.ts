const RULE = /^(?=.*-)[\s|:-]+$/;
const LEAD = /^\s{0,3}(?:(?:#{1,6}|>)\s+)+/;
const ITEM = /^\s*[-*+]\s+/;
const STRONG = /(\*\*|__)(?=\S)([^*_\n]{1,300})\1/g;
const SLANTED = /(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]{1,300})\*(?![\p{L}\p{N}*])/gu;
const CODE = /`([^`\n]{1,300})`/g;

/** Removes Markdown from a short text and joins it to one line, for a preview. */
export function stripMarkdown(markdown: string): string {
  const lines = markdown
    .split("\n")
    .filter((line) => !RULE.test(line))
    .map((line) => {
      const words = line.replace(LEAD, "").replace(ITEM, "• ").trim();
      return words.startsWith("|") ? words.replace(/^\||\|$/g, "").replaceAll("|", " · ") : words;
    });
  return lines.join(" ").replace(STRONG, "$2").replace(SLANTED, "$1").replace(CODE, "$1").replace(/\s+/g, " ").trim();
}
