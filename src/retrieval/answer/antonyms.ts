/** Words of a language that negate. */
export type Negations = {
  /** Words that negate a question. */
  readonly inQuestion: ReadonlySet<string>;
  /** Further words that negate a sentence, by prefix: somebody who is refused is not admitted. */
  readonly inSentence: RegExp;
};

const defineNegations = (inQuestion: string, inSentence: RegExp): Negations => ({ inQuestion: new Set(inQuestion.split(" ")), inSentence });

/** By ISO 639-1. */
export const NEGATIONS: Readonly<Record<string, Negations>> = {
  en: defineNegations(
    "not never cannot none nobody nothing neither nor no",
    /^(?:without|non|unable|only|hardly|barely|except|impossib|refus|lack|fail|prohibit|forb[aio]d|bann|prevent|avoid|instead|free$|(?:did|do|does|is|was|are|were|ca|wo|could|would|should|has|have|had)nt$)/,
  ),
  de: defineNegations(
    "nicht nie niemals kein keine keinen keinem keiner keines keinerlei weder niemand nichts nirgends",
    /^(?:ohne|nur|außer|ausnahme|kaum|unmöglich|verbot|verbiet|verweiger|vermeid|statt|un\p{L}+(?:lich|bar)$)/u,
  ),
  fr: defineNegations(
    "ne pas jamais aucun aucune ni",
    /^(?:rien$|personne$|sans|sauf|except|seulement|uniquement|interdi|impossib|refus|évit)/,
  ),
  es: defineNegations(
    "no nunca jamás ningún ninguno ninguna tampoco",
    /^(?:nada|nadie|ni|sin|solo|sólo)$|^(?:solamente|excep|salvo|prohib|imposib|evit)/,
  ),
  it: defineNegations(
    "non mai nessun nessuno nessuna",
    /^(?:niente|nulla|né|solo)$|^(?:senza|soltanto|tranne|eccezion|viet|impossib|evit)/,
  ),
  pt: defineNegations("não nunca jamais ninguém nenhum nenhuma", /^(?:nada|nem|sem|só)$|^(?:apenas|somente|exce|proib|impossív|evit)/),
  nl: defineNegations("niet nooit geen niemand niets", /^(?:zonder|alleen|slechts|behalve|uitzondering|verbod|verbied|onmogelijk|vermijd)/),
  sv: defineNegations("inte aldrig ingen inget ej varken", /^(?:inga|utan|bara)$|^(?:endast|utom|undantag|förbj|omöjlig|undvik)/),
  ro: defineNegations("nu niciodată niciun nicio nimeni", /^(?:n|nici|nimic)$|^(?:fără|doar|numai|excep|interz|imposibil|evit)/),
};

/** Antonyms in all their inflected forms (reject, rejected). */
const INFLECTED_PAIRS = `
start/end start/stop begin/stop open/close increase/decrease increase/reduce increase/decline raise/lower rise/fall rise/decline
grow/shrink growth/decline expand/contract strengthen/weaken improve/worsen ascend/descend arrive/depart help/hinder accept/reject
accept/refuse approve/reject allow/prohibit allow/forbid allow/ban permit/prohibit permit/forbid agree/disagree support/oppose
favor/oppose encourage/discourage promote/prevent promote/suppress cause/prevent include/exclude include/omit add/subtract add/remove
multiply/divide attach/detach attract/repel pull/push reveal/conceal create/destroy build/destroy succeed/fail gain/lose inhale/exhale
import/export input/output advantage/disadvantage benefit/harm success/failure profit/loss income/expense boy/girl father/mother
son/daughter brother/sister king/queen beginning/end summer/winter
`;

/** Antonyms without other forms, or whose other forms mean something else (new, news). */
const PLAIN_PAIRS = `
first/last initial/final earlier/later earliest/latest early/late old/new older/newer older/younger oldest/newest oldest/youngest
ancient/modern temporary/permanent more/less more/fewer most/least most/fewest many/few high/low higher/lower highest/lowest upper/lower
large/small larger/smaller largest/smallest big/small bigger/smaller biggest/smallest greater/lesser greater/smaller greatest/smallest
long/short longer/shorter longest/shortest tall/short taller/shorter tallest/shortest wide/narrow deep/shallow thick/thin
heavy/light heavier/lighter heaviest/lightest strong/weak stronger/weaker strongest/weakest fast/slow faster/slower fastest/slowest
hot/cold warm/cold hottest/coldest warmest/coldest warmer/colder dry/wet sunny/cloudy full/empty open/closed opened/closed
north/south east/west northern/southern eastern/western northeast/southwest northwest/southeast nearest/farthest closest/farthest
internal/external inner/outer interior/exterior forward/backward upward/downward best/worst better/worse positive/negative
easy/difficult simple/complex true/false same/different similar/different explicit/implicit direct/indirect active/passive
rich/poor wealthy/poor expensive/cheap common/rare major/minor majority/minority maximum/minimum primary/secondary legal/illegal
public/private urban/rural domestic/foreign local/foreign natural/artificial civilian/military conservative/liberal
conservatives/liberals male/female man/woman men/women born/died alive/dead presence/absence safe/unsafe paid/unpaid used/unused
fair/unfair able/unable innate/adaptive liquid/solid solid/gas liquid/gas freezing/boiling guilty/innocent voluntary/compulsory
mandatory/optional required/optional grew/shrank rose/fell
`;

/** Prefixes that make the antonym of a word with at least `MIN_BASE_LENGTH` letters. */
const NEGATING_PREFIXES = ["un", "in", "im", "il", "ir", "non", "dis", "mis"];
const MIN_BASE_LENGTH = 5;
/** Words whose prefixed form is not their antonym. */
const LOOKALIKES = new Set(
  `close count cover charge habit lodge migrate patch place plant press print prison prove pulse scribe sight solve spire stall
   stance state tense tribute`.split(/\s+/),
);

const ENDINGS = ["s", "es", "d", "ed", "ing"];

let antonyms: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function loadAntonyms(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const addAntonyms = (one: string, others: readonly string[]): void => {
    const known = found.get(one) ?? new Set<string>();
    for (const other of others) known.add(other);
    found.set(one, known);
  };
  const addPairs = (pairs: string, listForms: (word: string) => readonly string[]): void => {
    for (const pair of pairs.trim().split(/\s+/)) {
      const [one = [], other = []] = pair.split("/").map(listForms);
      for (const form of one) addAntonyms(form, other);
      for (const form of other) addAntonyms(form, one);
    }
  };
  addPairs(INFLECTED_PAIRS, inflect);
  addPairs(PLAIN_PAIRS, (word) => [word]);
  return found;
}

/** Regular forms of an English word: reject, rejects, rejected, rejecting. Forms that do not exist are harmless. */
function inflect(word: string): readonly string[] {
  const last = word.at(-1) ?? "";
  const stem = last === "e" ? word.slice(0, -1) : last === "y" ? `${word.slice(0, -1)}i` : word;
  return [
    ...new Set([
      word,
      `${word}s`,
      `${stem}es`,
      `${stem}ed`,
      `${word}ing`,
      `${last === "e" ? stem : word}ing`,
      `${word}${last}ed`,
      `${word}${last}ing`,
    ]),
  ];
}

/** Whether two English words, in lower case, are antonyms. */
export function areAntonyms(one: string, other: string): boolean {
  antonyms ??= loadAntonyms();
  return antonyms.get(one)?.has(other) === true || isNegatedForm(one, other) || isNegatedForm(other, one);
}

/** Whether `negated` is `word` with a negating prefix, ignoring regular endings. */
function isNegatedForm(word: string, negated: string): boolean {
  const prefix = NEGATING_PREFIXES.find((start) => negated.startsWith(start) && negated.length - start.length >= MIN_BASE_LENGTH);
  if (prefix === undefined || word.startsWith(prefix)) return false;
  const rest = listBases(negated.slice(prefix.length));
  return listBases(word).some((base) => base.length >= MIN_BASE_LENGTH && rest.includes(base) && !LOOKALIKES.has(base));
}

const listBases = (word: string): readonly string[] => [
  word,
  ...ENDINGS.filter((ending) => word.endsWith(ending)).flatMap((ending) => [
    word.slice(0, -ending.length),
    `${word.slice(0, -ending.length)}e`,
  ]),
];
