/** Assignments that are tried, since each unterminated one is scanned to the end of the page. */
const MAX_ATTEMPTS = 4;

/**
 * Parses the JSON object that a script assigns to a name, such as `var ytInitialData = {…};`. Returns null where there is none or it is
 * invalid. Counts braces outside of strings, in one pass.
 */
export function parseAssignedJson(html: string, name: string): unknown {
  const assignment = new RegExp(`(?:\\b|["'])${name}(?:["']\\])?\\s*=\\s*`, "g");
  let tries = 0;
  for (let found = assignment.exec(html); found !== null && tries < MAX_ATTEMPTS; found = assignment.exec(html)) {
    const start = assignment.lastIndex;
    if (html[start] !== "{") continue;
    tries++;
    const end = endOfObject(html, start);
    if (end === null) continue;
    const value = parsed(html.slice(start, end));
    if (value !== null) return value;
  }
  return null;
}

/** Parses the JSON inside the script element with that id; null where there is none or it is invalid. */
export function parseScriptJson(html: string, id: string): unknown {
  const found = new RegExp(`<script\\b[^<>]{0,1000}\\bid=["']?${id}["']?[^<>]{0,1000}>`, "i").exec(html);
  if (found === null) return null;
  const start = found.index + found[0].length;
  const end = html.indexOf("</script", start);
  return end < 0 ? null : parsed(html.slice(start, end));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The offset after the object that begins at `start`; null where it is not terminated. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  const mark = /["{}]/g;
  mark.lastIndex = start;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') {
      const end = endOfString(text, found.index + 1);
      if (end === null) return null;
      mark.lastIndex = end;
    } else if (found[0] === "{") depth++;
    else if (--depth === 0) return found.index + 1;
  }
  return null;
}

function endOfString(text: string, from: number): number | null {
  const mark = /["\\]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') return found.index + 1;
    mark.lastIndex = found.index + 2;
  }
  return null;
}
