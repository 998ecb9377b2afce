import type { Extractor } from "../../../extract/extractor.ts";
import { chain, type Chain } from "../../../extract/sources.ts";
import { doc, form, sheet, slides } from "./documents.ts";
import { driveFile, driveFolder } from "./drive.ts";

const CHAINS: Readonly<Record<string, Chain>> = {
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
  accepts: ({ type, subtype, id }) => type === "GOOGLE_DOC" && id !== undefined && subtype !== undefined && Object.hasOwn(CHAINS, subtype),
  extract: (context) => chain(CHAINS[context.kind.subtype ?? ""] ?? doc)(context),
};
