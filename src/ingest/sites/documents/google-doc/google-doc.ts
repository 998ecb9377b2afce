import type { Extractor } from "../../../extract/extractor.ts";
import { runSources, type SourceList } from "../../../extract/sources/run-sources.ts";
import { doc, form, sheet, slides } from "./documents.ts";
import { driveFile, driveFolder } from "./drive.ts";

const SOURCE_LISTS: Readonly<Record<string, SourceList>> = {
  DOC: doc,
  SHEET: sheet,
  SLIDES: slides,
  FORM: form,
  FILE: driveFile,
  FOLDER: driveFolder,
};

/** Documents, sheets, slides, forms, files and folders that everyone who has the link may read. */
export const googleDoc: Extractor = {
  name: "google-doc",
  accepts: ({ type, subtype, id }) =>
    type === "GOOGLE_DOC" && id !== undefined && subtype !== undefined && Object.hasOwn(SOURCE_LISTS, subtype),
  extract: (context) => runSources(SOURCE_LISTS[context.kind.subtype ?? ""] ?? doc)(context),
};
