import { invalid } from "#domain/core/errors/error.ts";

/** Where senders put an address, the text and its title, in the order in which the names count. */
const ADDRESS_FIELDS = ["url", "link", "href", "permalink_url", "html_url"];
const TEXT_FIELDS = ["content", "text", "body", "message", "description"];
const TITLE_FIELDS = ["title", "subject", "name"];
/** The text of an e-mail in the forms of Mailgun and SendGrid, if it was not found before. */
const MAIL_TEXT_FIELDS = ["body-plain"];
const MAIL_HTML_FIELDS = ["body-html", "html"];

const MAX_URL_LENGTH = 2_048;
/** What is searched of a message: senders put what matters near the top. */
const MAX_DEPTH = 4;
const MAX_OBJECTS = 2_000;
const MAX_SHOWN_NAMES = 20;
const MAX_SHOWN_LENGTH = 100;

/** What a sender's own message has to say. `html` is a text that is not cleaned yet. */
export type ChosenFields = {
  readonly title: string | undefined;
  readonly names: readonly string[];
} & ({ readonly url: string } | { readonly content: string } | { readonly html: string });

type Fields = Readonly<Record<string, unknown>>;
type Found = { readonly name: string; readonly text: string };

/**
 * Chooses what becomes a tile: of the object that is nearest to the top, the first address, otherwise the first text. `names` are the
 * top-level fields that it uses. Returns null if there is nothing usable.
 */
export function chooseFields(message: unknown): ChosenFields | null {
  for (const { fields, siblings, path } of walkObjects(message)) {
    const page =
      findField(fields, ADDRESS_FIELDS, readPage) ?? (path === undefined ? findField(fields, ADDRESS_FIELDS, readAddress) : null);
    const text = page === null ? findField(fields, [...TEXT_FIELDS, ...MAIL_TEXT_FIELDS], readText) : null;
    const html = page === null && text === null ? findField(fields, MAIL_HTML_FIELDS, readText) : null;
    const found = page ?? text ?? html;
    if (found === null) continue;
    const title = findTitle(fields, found) ?? (isFields(message) ? findTitle(message, found) : null);
    const names = path === undefined ? [found.name, ...(title === null ? [] : [title.name])] : [path];
    const common = { title: title?.text, names };
    if (page !== null) return { ...common, url: page.text };
    return text === null ? { ...common, html: found.text } : { ...common, content: joinTexts(siblings, text) };
  }
  return null;
}

/** Returns the title of a message; undefined if it has none. */
export const chooseTitle = (message: unknown): string | undefined =>
  isFields(message) ? findField(message, TITLE_FIELDS, readText)?.text : undefined;

/** Returns the 400 for a message with nothing usable, which lists the names of its fields. */
export function nothingUsable(message: unknown): Error {
  const names = isFields(message) ? Object.keys(message) : [];
  const shown = names.slice(0, MAX_SHOWN_NAMES).map((name) => name.slice(0, MAX_SHOWN_LENGTH).toWellFormed());
  const received =
    names.length === 0 ? "none" : `${shown.join(", ")}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ""}`;
  return invalid(`The request has neither an address nor a text under a known name. Fields received: ${received}.`, "field_missing");
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

type Visited = {
  readonly fields: Fields;
  /** The objects of the list that has this one. */
  readonly siblings: readonly unknown[];
  /** The top-level field that the object is in. */
  readonly path: string | undefined;
};

/** Visits the objects of a message by their depth, so that what is at the top counts first. */
function* walkObjects(message: unknown): Generator<Visited> {
  let level: Visited[] = Array.isArray(message) ? toItems(message, undefined) : isFields(message) ? [toVisited(message, undefined)] : [];
  let visited = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: Visited[] = [];
    for (const one of level) {
      if (++visited > MAX_OBJECTS) return;
      yield one;
      for (const [name, value] of Object.entries(one.fields)) {
        const path = one.path ?? name;
        if (Array.isArray(value)) next.push(...toItems(value, path));
        else if (isFields(value)) next.push(toVisited(value, path));
      }
    }
    level = next;
  }
}

const toVisited = (fields: Fields, path: string | undefined): Visited => ({ fields, siblings: [], path });

const toItems = (list: readonly unknown[], path: string | undefined): Visited[] =>
  list
    .slice(0, MAX_OBJECTS)
    .filter(isFields)
    .map((fields) => ({ fields, siblings: list, path }));

/** Returns the first of the named fields whose value `read` accepts. Senders differ in the case of names. */
function findField(fields: Fields, names: readonly string[], read: (value: unknown) => string | null): Found | null {
  const own = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
  for (const wanted of names) {
    const name = Object.hasOwn(fields, wanted) ? wanted : own.get(wanted);
    const text = name === undefined ? null : read(fields[name]);
    if (name !== undefined && text !== null) return { name, text };
  }
  return null;
}

const findTitle = (fields: Fields, found: Found): Found | null => {
  const title = findField(fields, TITLE_FIELDS, readText);
  return title === null || title.text === found.text ? null : title;
};

/** Of a list of texts, such as the answers of a form, all are kept. */
function joinTexts(siblings: readonly unknown[], { name, text }: Found): string {
  const texts = siblings.flatMap((one) => (isFields(one) ? [findField(one, [name, ...TEXT_FIELDS], readText)?.text ?? ""] : []));
  return siblings.length === 0 ? text : texts.filter((one) => one !== "").join("\n\n");
}

/** Returns an absolute http or https address; null for anything else, and for an inbound address, whose token is a secret. */
export function readAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_URL_LENGTH) return null;
  const text = value.trim();
  if (!/^https?:\/\/\S+$/i.test(text)) return null;
  const url = URL.parse(text);
  return url === null || url.pathname.includes("/in/tsi_") ? null : text;
}

/** As `readAddress`. Returns null for programming interfaces, whose address GitHub and others send as `url`, beside the page as `html_url`. */
function readPage(value: unknown): string | null {
  const address = readAddress(value);
  if (address === null) return null;
  const { hostname, pathname } = new URL(address);
  return hostname.startsWith("api.") || pathname.startsWith("/api/") ? null : address;
}

/** Returns a text that is not blank; null for anything else. Of a list of texts, all count. */
function readText(value: unknown): string | null {
  const texts = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  if (!texts.every((text) => typeof text === "string")) return null;
  const text = texts.join("\n\n");
  return text.trim() === "" ? null : text;
}
