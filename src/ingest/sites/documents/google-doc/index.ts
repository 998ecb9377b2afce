import { idFromQuery } from "../../address.ts";
import type { Site } from "../../site.ts";
import { documentReader, formReader, sheetReader, slidesReader } from "./documents.ts";
import { fileReader, folderReader } from "./drive.ts";

const DOC = "^\\/(?:a\\/[^/]+\\/)?";
const createDocRule = (word: string, subtype: string) => ({
  host: /^docs\./,
  path: new RegExp(`${DOC}${word}\\/(?:u\\/\\d+\\/)?d\\/(?:e\\/)?([\\w-]+)`),
  subtype,
});

export const googleDoc: Site = {
  type: "GOOGLE_DOC",
  label: "Google Doc",
  icon: "document",
  text: "public documents, sheets as a table, slides, forms and files; a folder lists its files",
  hosts: /^(?:docs|drive)\.google\.com$/,
  rules: [
    createDocRule("document", "DOC"),
    createDocRule("spreadsheets", "SHEET"),
    createDocRule("presentation", "SLIDES"),
    createDocRule("forms", "FORM"),
    createDocRule("file", "FILE"),
    { path: /^\/(?:a\/[^/]+\/)?file\/(?:u\/\d+\/)?d\/([\w-]+)/, subtype: "FILE" },
    { path: /^\/(?:open|uc)\/?$/, subtype: "FILE", id: idFromQuery("id", /^[\w-]+$/) },
    { path: /^\/drive\/(?:u\/\d+\/)?folders\/([\w-]+)/, subtype: "FOLDER" },
  ],
  readers: [documentReader, sheetReader, slidesReader, formReader, fileReader, folderReader],
};
