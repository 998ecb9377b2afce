import { getAttribute, readXml } from "../../markup/xml.ts";
import type { Archive } from "../archive/zip.ts";

const MAX_NOTES = 20_000;
const MAX_NOTE_LENGTH = 20_000;

/** Reads the text of footnotes and endnotes (ECMA-376, part 1, 17.11), by kind and id, such as `footnote 3`. */
export function readNotes(archive: Archive): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const kind of ["footnote", "endnote"]) {
    const part = archive.read(`word/${kind}s.xml`);
    const note = { id: "", parts: [] as string[], length: 0, inText: false };
    if (part === null) continue;
    readXml(part, {
      open(name, attributes) {
        if (name === kind) {
          // Notes with a type are separator lines between the body and the notes.
          note.id = getAttribute(attributes, "type") === null ? (getAttribute(attributes, "id") ?? "") : "";
          note.parts = [];
          note.length = 0;
        }
        note.inText = name === "t";
        if (name === "p" || name === "tab" || name === "br") note.parts.push(" ");
      },
      text(text) {
        if (!note.inText || note.length > MAX_NOTE_LENGTH) return;
        note.parts.push(text);
        note.length += text.length;
      },
      close(name) {
        note.inText = false;
        const text = name === kind && note.id !== "" ? note.parts.join("").replace(/\s+/g, " ").trim() : "";
        if (text !== "") notes.set(`${kind} ${note.id}`, text);
      },
      isFull: () => notes.size >= MAX_NOTES,
    });
  }
  return notes;
}
