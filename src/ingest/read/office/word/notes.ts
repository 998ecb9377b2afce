import { getAttribute, readXml } from "../../markup/xml.ts";
import type { Archive } from "../zip.ts";

const MAX_NOTES = 20_000;
const MAX_NOTE_LENGTH = 20_000;

/** The words of foot- and endnotes (ECMA-376, part 1, 17.11) by their kind and id, such as `footnote 3`. */
export function readNotes(archive: Archive): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const kind of ["footnote", "endnote"]) {
    const bytes = archive.read(`word/${kind}s.xml`);
    const here = { id: "", parts: [] as string[], length: 0, inText: false };
    if (bytes === null) continue;
    readXml(bytes, {
      open(name, attributes) {
        if (name === kind) {
          // Lines that part the notes from the page are notes of a type of their own.
          here.id = getAttribute(attributes, "type") === null ? (getAttribute(attributes, "id") ?? "") : "";
          here.parts = [];
          here.length = 0;
        }
        here.inText = name === "t";
        if (name === "p" || name === "tab" || name === "br") here.parts.push(" ");
      },
      text(text) {
        if (!here.inText || here.length > MAX_NOTE_LENGTH) return;
        here.parts.push(text);
        here.length += text.length;
      },
      close(name) {
        here.inText = false;
        const words = name === kind && here.id !== "" ? here.parts.join("").replace(/\s+/g, " ").trim() : "";
        if (words !== "") notes.set(`${kind} ${here.id}`, words);
      },
      isFull: () => notes.size >= MAX_NOTES,
    });
  }
  return notes;
}
