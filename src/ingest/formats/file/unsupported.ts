import { IngestError } from "#domain/content/job.ts";
import { encryptedError } from "../../read/errors.ts";
import type { FileContent } from "../content.ts";

/** Name of the stream that contains an encrypted DOCX, XLSX or PPTX in the old binary format (MS-OFFCRYPTO 2.3). */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

/** Throws an `IngestError` that says why a file can't be read and what to do instead. */
export function throwUnsupported(content: FileContent, body: Uint8Array): never {
  if (content.type === "DOCUMENT" && Buffer.from(body.buffer, body.byteOffset, body.length).includes(ENCRYPTED_PACKAGE))
    throw encryptedError("document");
  const article = /^[aeio]/.test(content.name) ? "an" : "a";
  throw new IngestError(
    "unsupported_content",
    `This is ${article} ${content.name}; its text can't be read. ${content.advice ?? "Paste the part you need as a text tile."}`,
    { stage: "extract" },
  );
}
