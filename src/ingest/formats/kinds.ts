import type { TileKind } from "../extract/kind.ts";

/** A type of tile that is determined by the content, and not by a site. */
export type Format = TileKind & {
  /** What is read, in order, for the table in docs/links.md. */
  readonly sources: string;
};

/** All types of tiles that belong to no site. */
export const FORMATS: readonly Format[] = [
  { type: "TEXT", label: "Text", icon: "text", text: "the text that was sent", sources: "–" },
  { type: "FEED", label: "Feed", icon: "feed", text: "its entries, newest first", sources: "RSS, Atom, RDF or JSON Feed" },
  { type: "PDF", label: "PDF", icon: "document", text: "text as light Markdown", sources: "the file" },
  {
    type: "DOCUMENT",
    label: "Document",
    icon: "document",
    text: "text as light Markdown: DOCX, PPTX, XLSX, OpenDocument, EPUB, RTF, plain text, CSV",
    sources: "the file",
  },
  {
    type: "IMAGE",
    label: "Image",
    icon: "image",
    text: "metadata in the file; with a model, a description and the text in the picture",
    sources: "the start of the file, model (`VISION_MODEL`)",
  },
  {
    type: "AUDIO",
    label: "Audio",
    icon: "audio",
    text: "metadata in the file; with a model, a transcript",
    sources: "the start of the file, model (`SPEECH_MODEL`)",
  },
  {
    type: "VIDEO",
    label: "Video",
    icon: "video",
    text: "metadata in the file; with a model, a transcript",
    sources: "the start of the file, model (`SPEECH_MODEL`)",
  },
  { type: "WEBSITE", label: "Web page", icon: "page", text: "the main content, as light Markdown", sources: "the page" },
];
