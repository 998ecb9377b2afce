import PostalMime, { type Email } from "postal-mime";
import { type AttachedFile, MAX_ATTACHED_FILES, type Mail } from "#domain/content/file.ts";
import { IngestError } from "#domain/content/job.ts";
import { replaceInvalidCharacters } from "../../clean/text.ts";
import { htmlToMarkdown } from "../office/markdown/html-markdown.ts";

/** An e-mail of a person or a program has few of these. */
const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 1_048_576, maxRfc822NestingDepth: 5 } as const;

/** The line before an e-mail in a mailbox file, which pipes of mail servers can add. */
const MAILBOX_LINE = Buffer.from("From ");
const LINE_FEED = 0x0a;

/**
 * Reads a raw e-mail (RFC 5322, MIME): its subject, its plain text or otherwise its HTML as light Markdown, and as many of its files as are
 * stored, since each is an object that leaves the thread. Throws `IngestError`.
 */
export async function readMail(bytes: Uint8Array): Promise<Mail> {
  const email = await parse(skipMailboxLine(bytes));
  const plain = email.text?.trim() ?? "";
  const text = plain === "" && email.html !== undefined ? htmlToMarkdown(email.html) : plain;
  const files = email.attachments.filter(({ related }) => related !== true);
  return {
    subject: email.subject?.trim() ?? "",
    text: replaceInvalidCharacters(text.replaceAll(/\r\n?/g, "\n")).trim(),
    files: files.slice(0, MAX_ATTACHED_FILES).map(toFile),
    fileCount: files.length,
  };
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, LIMITS);
  } catch (error) {
    const message = "It is damaged, or has too many headers, or too many parts within each other.";
    throw new IngestError("unreadable_file", message, { stage: "extract", cause: error });
  }
}

function skipMailboxLine(bytes: Uint8Array): Uint8Array {
  if (!MAILBOX_LINE.equals(bytes.subarray(0, MAILBOX_LINE.length))) return bytes;
  return bytes.subarray(bytes.indexOf(LINE_FEED) + 1);
}

const toFile = ({ filename, mimeType, content }: Email["attachments"][number]): AttachedFile => ({
  name: filename ?? "",
  mediaType: mimeType,
  bytes: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
});
