import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../../truncate.ts";
import { unreadableError } from "../../errors.ts";
import type { ParsedDocument } from "../../format.ts";
import { omitEmpty } from "../../json-access.ts";
import { headingOf, saidTitle } from "../properties.ts";
import { decodePage, pageOfCharset } from "./code-pages.ts";
import { readTokens, type Token } from "./tokens.ts";
import { openPaper } from "./paper.ts";

/** What a group's words are for: to be read, to be left out, or to be noted as something that the file says of itself. */
type Group = {
  readonly use: "text" | "skip" | "title" | "author" | "created" | "fonts";
  /** Characters that stand in for one written as `\u`. */
  stands: number;
  page: number | null;
  isHidden: boolean;
};

const MAX_DEPTH = 1_000;
const SKIPPED = new Set(
  "colortbl stylesheet listtable listoverridetable rsidtbl generator pict header headerl headerr headerf footer footerl footerr footerf themedata datastore latentstyles fldinst info annotation atnid atnauthor nonshppict bkmkstart bkmkend xmlnstbl listpicture sp filetbl revtbl pgptbl mmathPr".split(
    " ",
  ),
);
const NOTED: Readonly<Record<string, Group["use"]>> = { title: "title", author: "author", creatim: "created" };
/** Destinations behind `\*` whose words are the document's. */
const KEPT = new Set(["shpinst", "shptxt"]);
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

/** Reads a rich text file (Microsoft RTF 1.9.1): paragraphs, headings by their outline level, lists, tables, any code page, `\u`. */
export function readRtf(bytes: Uint8Array): ParsedDocument {
  const paper = openPaper();
  const groups: Group[] = [{ use: "text", stands: 1, page: null, isHidden: false }];
  const fonts = new Map<number, number | null>();
  const noted = { title: "", author: "", created: [] as number[] };
  const state = { page: 1252, font: 0, isStarred: false, isFirst: false, skips: 0, isCut: false };
  const pending: number[] = [];
  const here = (): Group => groups.at(-1) as Group;

  const say = (text: string): void => {
    const { use, isHidden } = here();
    if (use === "text" && !isHidden) paper.write(text);
    else if ((use === "title" || use === "author") && noted[use].length < 1_000) noted[use] += text;
  };
  const settle = (): void => {
    if (pending.length > 0) say(decodePage(pending.splice(0), here().page ?? state.page));
  };
  const enter = (use: Group["use"]): void => {
    groups[groups.length - 1] = { ...here(), use };
  };
  const obey = (word: string, number: number | null): void => {
    const group = here();
    if (word === "ansicpg") state.page = number ?? state.page;
    else if (word === "mac") state.page = 10000;
    else if (word === "uc") group.stands = Math.min(16, Math.max(0, number ?? 1));
    else if (word === "f" && group.use === "fonts") state.font = number ?? 0;
    else if (word === "f") group.page = fonts.get(number ?? 0) ?? null;
    else if (word === "fcharset" && group.use === "fonts") fonts.set(state.font, pageOfCharset(number ?? 0));
    else if (word === "v") group.isHidden = number !== 0;
    else if (word === "plain") group.isHidden = false;
    else if (group.use === "created" && /^(?:yr|mo|dy|hr|min)$/.test(word)) noted.created.push(number ?? 0);
    else if (word in SYMBOLS && Object.hasOwn(SYMBOLS, word)) say(SYMBOLS[word] ?? "");
    else if (group.use === "text" && !group.isHidden) paper.obey(word, number);
  };
  const follow = (token: Extract<Token, { kind: "word" }>): void => {
    const { word, number } = token;
    if (word === "*") return void (state.isStarred = true);
    const { isFirst, isStarred } = state;
    state.isFirst = false;
    state.isStarred = false;
    if (word === "u") {
      say(String.fromCharCode((number ?? 0xfffd) & 0xffff));
      state.skips = here().stands;
    } else if (Object.hasOwn(NOTED, word) && here().use !== "text" && isFirst) enter(NOTED[word] ?? "skip");
    else if (word === "fonttbl") enter("fonts");
    else if (word === "listtext" || word === "pntext") {
      paper.obey("listtext", null);
      enter("skip");
    } else if (here().use !== "fonts" && (SKIPPED.has(word) || (isStarred && !KEPT.has(word)))) enter("skip");
    else obey(word, number);
  };

  for (const token of readTokens(bytes)) {
    if (token.kind === "byte") {
      state.isFirst = false;
      if (state.skips > 0) state.skips--;
      else pending.push(token.byte);
      if (pending.length > 4_096) settle();
      continue;
    }
    settle();
    state.skips = 0;
    if (token.kind === "word") follow(token);
    else if (token.kind === "open") {
      if (groups.length >= MAX_DEPTH) throw unreadableError();
      groups.push({ ...here() });
      state.isFirst = true;
    } else if (groups.length > 1) groups.pop();
    if ((state.isCut = paper.length() > MAX_TEXT_LENGTH)) break;
  }
  settle();
  const text = paper.finish();
  const [year, month = 1, day = 1, hour = 0, minute = 0] = noted.created;
  const two = (value: number): string => String(value).padStart(2, "0");
  const created = year === undefined ? null : toIsoDate(`${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`);
  const metadata: TileMetadata = omitEmpty({ author: noted.author.trim(), publishedAt: created });
  return { title: saidTitle(noted.title) ?? headingOf(text), text, metadata, warnings: state.isCut ? [FILE_TRUNCATED_WARNING] : [] };
}
