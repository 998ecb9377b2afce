/** Assignments that are tried. The limit bounds the time, because an unterminated object is scanned to the end of the page. */
const MAX_ATTEMPTS = 4;

/**
 * Parses the JSON object that a script assigns to a name, such as `var ytInitialData = {…};`. Its end is found by counting braces outside
 * of strings. Returns null if there is no such object, or it is invalid.
 */
export function parseAssignedJson(html: string, name: string): unknown {
  const assignment = new RegExp(`(?:\\b|["'])${name}(?:["']\\])?\\s*=\\s*`, "g");
  let attempts = 0;
  for (let found = assignment.exec(html); found !== null && attempts < MAX_ATTEMPTS; found = assignment.exec(html)) {
    const start = assignment.lastIndex;
    if (html[start] !== "{") continue;
    attempts++;
    const end = findObjectEnd(html, start);
    if (end === null) continue;
    const value = parseJson(html.slice(start, end));
    if (value !== null) return value;
  }
  return null;
}

/** Parses the JSON in the script element with that id. Returns null if there is no such element, or the JSON is invalid. */
export function parseScriptJson(html: string, id: string): unknown {
  const found = new RegExp(`<script\\b[^<>]{0,1000}\\bid=["']?${id}["']?[^<>]{0,1000}>`, "i").exec(html);
  if (found === null) return null;
  const start = found.index + found[0].length;
  const end = html.indexOf("</script", start);
  return end < 0 ? null : parseJson(html.slice(start, end));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Returns the offset after the object that begins at `start`, or null if it is not terminated. */
function findObjectEnd(text: string, start: number): number | null {
  let depth = 0;
  const mark = /["{}]/g;
  mark.lastIndex = start;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') {
      const end = findStringEnd(text, found.index + 1);
      if (end === null) return null;
      mark.lastIndex = end;
    } else if (found[0] === "{") depth++;
    else if (--depth === 0) return found.index + 1;
  }
  return null;
}

function findStringEnd(text: string, from: number): number | null {
  const mark = /["\\]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') return found.index + 1;
    mark.lastIndex = found.index + 2;
  }
  return null;
}
