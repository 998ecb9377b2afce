import { unreadableError } from "../../errors.ts";
import { getCodePageOfCharset, decodeCodePage } from "./code-pages.ts";
import { TextBuilder } from "./text-builder.ts";
import type { Token } from "./tokens.ts";

/** Formatting and purpose of a group (`{…}`); a nested group starts with a copy of its parent. */
type Group = {
  /** Whether the group's text is body text, skipped, a field of the document's properties, or the font table. */
  readonly use: "text" | "skip" | "title" | "author" | "created" | "fonts";
  /** Number of fallback characters after each `\u` character (`\uc`). */
  fallbackLength: number;
  codePage: number | null;
  isHidden: boolean;
};

/** The document's own properties; `created` holds year, month, day, hour and minute. */
export type RtfProperties = { title: string; author: string; readonly created: number[] };

const MAX_DEPTH = 1_000;
const MAX_PENDING_BYTES = 4_096;
const MAX_PROPERTY_LENGTH = 1_000;
const MAX_FALLBACK_LENGTH = 16;
const DEFAULT_CODE_PAGE = 1252;
const MAC_CODE_PAGE = 10000;

const SKIPPED_DESTINATIONS = new Set(
  "colortbl stylesheet listtable listoverridetable rsidtbl generator pict header headerl headerr headerf footer footerl footerr footerf themedata datastore latentstyles fldinst info annotation atnid atnauthor nonshppict bkmkstart bkmkend xmlnstbl listpicture sp filetbl revtbl pgptbl mmathPr".split(
    " ",
  ),
);
const PROPERTY_DESTINATIONS: Readonly<Record<string, Group["use"]>> = { title: "title", author: "author", creatim: "created" };
/** Optional destinations (`\*`) that contain body text. Others are skipped. */
const TEXT_DESTINATIONS = new Set(["shpinst", "shptxt"]);
const SYMBOLS: Readonly<Record<string, string>> = {
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  tab: " ",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
  "~": " ",
  _: "-",
  "\\": "\\",
  "{": "{",
  "}": "}",
  line: "\n",
};

/** Interprets the tokens of an RTF file: keeps the stack of groups, decodes text, and collects body text and properties. */
export class RtfInterpreter {
  readonly text = new TextBuilder();
  readonly properties: RtfProperties = { title: "", author: "", created: [] };
  readonly #groups: Group[] = [{ use: "text", fallbackLength: 1, codePage: null, isHidden: false }];
  /** Code pages by font number. */
  readonly #fonts = new Map<number, number | null>();
  /** Bytes of text that are not decoded yet, since a character may consist of several. */
  readonly #pendingBytes: number[] = [];
  #codePage = DEFAULT_CODE_PAGE;
  #currentFont = 0;
  /** Whether the previous token was `\*`, which marks an optional destination. */
  #isOptional = false;
  /** Whether the next token is the first of its group, which may name its destination. */
  #isGroupStart = false;
  /** Fallback characters still to be skipped after a `\u` character. */
  #skipCount = 0;

  /** Throws `IngestError` `unreadable_file` if groups are nested too deeply. */
  handle(token: Token): void {
    if (token.kind === "byte") return this.#handleByte(token.byte);
    this.flush();
    this.#skipCount = 0;
    if (token.kind === "word") this.#handleWord(token.word, token.number);
    else if (token.kind === "open") this.#openGroup();
    else if (this.#groups.length > 1) this.#groups.pop();
  }

  /** Decodes the bytes read so far. */
  flush(): void {
    if (this.#pendingBytes.length > 0) this.#emit(decodeCodePage(this.#pendingBytes.splice(0), this.#group.codePage ?? this.#codePage));
  }

  get #group(): Group {
    return this.#groups.at(-1) as Group;
  }

  #openGroup(): void {
    if (this.#groups.length >= MAX_DEPTH) throw unreadableError();
    this.#groups.push({ ...this.#group });
    this.#isGroupStart = true;
  }

  #setUse(use: Group["use"]): void {
    this.#groups[this.#groups.length - 1] = { ...this.#group, use };
  }

  #handleByte(byte: number): void {
    this.#isGroupStart = false;
    if (this.#skipCount > 0) this.#skipCount--;
    else this.#pendingBytes.push(byte);
    if (this.#pendingBytes.length > MAX_PENDING_BYTES) this.flush();
  }

  #emit(text: string): void {
    const { use, isHidden } = this.#group;
    if (use === "text" && !isHidden) this.text.write(text);
    else if ((use === "title" || use === "author") && this.properties[use].length < MAX_PROPERTY_LENGTH) this.properties[use] += text;
  }

  #handleWord(word: string, parameter: number | null): void {
    if (word === "*") return void (this.#isOptional = true);
    const [isGroupStart, isOptional] = [this.#isGroupStart, this.#isOptional];
    this.#isGroupStart = false;
    this.#isOptional = false;
    const { use, fallbackLength } = this.#group;
    if (word === "u") {
      this.#emit(String.fromCharCode((parameter ?? 0xfffd) & 0xffff));
      this.#skipCount = fallbackLength;
    } else if (Object.hasOwn(PROPERTY_DESTINATIONS, word) && use !== "text" && isGroupStart)
      this.#setUse(PROPERTY_DESTINATIONS[word] ?? "skip");
    else if (word === "fonttbl") this.#setUse("fonts");
    else if (word === "listtext" || word === "pntext") {
      this.text.handleControl("listtext", null);
      this.#setUse("skip");
    } else if (use !== "fonts" && (SKIPPED_DESTINATIONS.has(word) || (isOptional && !TEXT_DESTINATIONS.has(word)))) this.#setUse("skip");
    else this.#handleControl(word, parameter);
  }

  /** A control word that sets a property or writes a symbol. */
  #handleControl(word: string, parameter: number | null): void {
    const group = this.#group;
    if (word === "ansicpg") this.#codePage = parameter ?? this.#codePage;
    else if (word === "mac") this.#codePage = MAC_CODE_PAGE;
    else if (word === "uc") group.fallbackLength = Math.min(MAX_FALLBACK_LENGTH, Math.max(0, parameter ?? 1));
    else if (word === "f" && group.use === "fonts") this.#currentFont = parameter ?? 0;
    else if (word === "f") group.codePage = this.#fonts.get(parameter ?? 0) ?? null;
    else if (word === "fcharset" && group.use === "fonts") this.#fonts.set(this.#currentFont, getCodePageOfCharset(parameter ?? 0));
    else if (word === "v") group.isHidden = parameter !== 0;
    else if (word === "plain") group.isHidden = false;
    else if (group.use === "created" && /^(?:yr|mo|dy|hr|min)$/.test(word)) this.properties.created.push(parameter ?? 0);
    else if (Object.hasOwn(SYMBOLS, word)) this.#emit(SYMBOLS[word] ?? "");
    else if (group.use === "text" && !group.isHidden) this.text.handleControl(word, parameter);
  }
}
