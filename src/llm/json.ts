/** Parses a JSON value in an answer: the whole text, a code fence, or from the first bracket to the last. Returns undefined if there is none. */
export function readJson(text: string): unknown {
  for (const candidate of listCandidates(text.trim())) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // Try the next form.
    }
  }
  return undefined;
}

function* listCandidates(text: string): Generator<string> {
  yield text;
  const fence = text.indexOf("```");
  const close = text.lastIndexOf("```");
  if (fence >= 0 && close > fence) yield text.slice(fence + 3, close).replace(/^[a-z0-9]{0,10}\s/i, "");
  const starts = [text.indexOf("{"), text.indexOf("[")].filter((at) => at >= 0);
  if (starts.length === 0) return;
  const start = Math.min(...starts);
  const end = text.lastIndexOf(text.charAt(start) === "{" ? "}" : "]");
  if (end > start) yield text.slice(start, end + 1);
}
