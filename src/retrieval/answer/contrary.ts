import { foldWord } from "../text/tokenise.ts";
import { detectLanguage } from "../text/language.ts";
import { stemWord } from "../text/stem.ts";

/** Words that deny, by language (ISO 639-1): a question with one is not answered by a sentence that denies nothing. */
const DENYING: Readonly<Record<string, string>> = {
  en: "not never cannot none nobody nothing neither nor no",
  de: "nicht nie niemals kein keine keinen keinem keiner keines weder niemand nichts",
  fr: "ne n pas jamais aucun aucune ni",
  es: "no nunca jamás nadie nada ningún ninguno ninguna ni tampoco",
  it: "non mai nessun nessuno nessuna niente nulla né",
  pt: "não nunca jamais ninguém nada nenhum nenhuma nem",
  nl: "niet nooit geen niemand niets",
  sv: "inte aldrig ingen inget inga ej varken",
  ro: "nu niciodată niciun nicio nimeni nimic nici",
};

/** Words that deny something without those, by how they begin: who is refused is not let in. */
const DENYING_BY_ITSELF: Readonly<Record<string, RegExp>> = {
  en: /^(?:without|non|unable|only|hardly|barely|except|impossib|refus|lack|fail|prohibit|forb[aio]d|bann|prevent)/,
  de: /^(?:ohne|nur|außer|ausnahme|kaum|unmöglich|verbot|verbiet|verweiger|un\p{L}+(?:lich|bar)$)/u,
  fr: /^(?:sans|sauf|except|seulement|uniquement|interdi|impossib|refus)/,
  es: /^(?:sin$|solo$|sólo$|solamente|excep|salvo|prohib|imposib)/,
  it: /^(?:senza|solo$|soltanto|tranne|eccezion|viet|impossib)/,
  pt: /^(?:sem$|só$|apenas|somente|exce|proib|impossív)/,
  nl: /^(?:zonder|alleen|slechts|behalve|uitzondering|verbod|verbied|onmogelijk)/,
  sv: /^(?:utan$|bara$|endast|utom|undantag|förbj|omöjlig)/,
  ro: /^(?:fără|doar|numai|excep|interz|imposibil)/,
};

/** Words of which a thing is one or the other. Converses (bought and sold, won and lost) tell of one event, so they are none. */
const OPPOSITES = `
first/last initial/final earlier/later earliest/latest early/late old/new older/newer older/younger oldest/newest oldest/youngest
ancient/modern begin/end start/end start/stop begin/stop beginning/end open/close temporary/permanent
increase/decrease increase/reduce increase/decline raise/lower rise/fall rise/decline grow/shrink growth/decline expand/contract
strengthen/weaken improve/worsen more/less more/fewer most/least most/fewest many/few high/low higher/lower highest/lowest upper/lower
large/small larger/smaller largest/smallest big/small bigger/smaller biggest/smallest greater/lesser greater/smaller greatest/smallest
long/short longer/shorter longest/shortest tall/short taller/shorter tallest/shortest wide/narrow deep/shallow thick/thin
heavy/light heavier/lighter heaviest/lightest strong/weak stronger/weaker strongest/weakest fast/slow faster/slower fastest/slowest
hot/cold warm/cold hottest/coldest warmest/coldest warmer/colder dry/wet sunny/cloudy summer/winter full/empty
north/south east/west northern/southern eastern/western northeast/southwest northwest/southeast nearest/farthest closest/farthest
internal/external inner/outer interior/exterior forward/backward upward/downward ascend/descend arrive/depart
best/worst better/worse positive/negative advantage/disadvantage benefit/harm help/hinder easy/difficult simple/complex
true/false same/different similar/different odd/even explicit/implicit direct/indirect active/passive
rich/poor wealthy/poor expensive/cheap common/rare major/minor majority/minority maximum/minimum primary/secondary
accept/reject accept/refuse approve/reject allow/prohibit allow/forbid allow/ban permit/prohibit permit/forbid legal/illegal
agree/disagree support/oppose favor/oppose encourage/discourage promote/prevent promote/suppress cause/prevent include/exclude
include/omit add/subtract add/remove multiply/divide attach/detach attract/repel pull/push reveal/conceal create/destroy build/destroy
success/failure succeed/fail gain/lose profit/loss income/expense input/output inhale/exhale import/export
public/private urban/rural domestic/foreign local/foreign natural/artificial civilian/military conservative/liberal
male/female man/woman men/women boy/girl father/mother son/daughter brother/sister king/queen born/died alive/dead
presence/absence present/absent safe/unsafe paid/unpaid used/unused fair/unfair able/unable innate/adaptive liquid/solid solid/gas
liquid/gas freezing/boiling guilty/innocent voluntary/compulsory mandatory/optional required/optional
`;

/** Beginnings that turn a word into its opposite, where so much of the word is left. */
const TURNING = ["un", "in", "im", "il", "ir", "non", "dis", "mis"];
const LEAST_TURNED = 5;
/** Words that only look turned. */
const LOOKALIKES = "discount discover discharge distribute imprint impress inhabit insight inspire install instance inform";

/** Letters with what follows an apostrophe: don't, n’est. */
const WORD = /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?/gu;
/** "Whether or not" asks for both, and "not only" denies nothing. */
const BOTH = /\bor (?:\p{L}+ )?not\b|\bnot only\b/giu;

const stemOf = (word: string): string => stemWord(foldWord(word), "en", foldWord);

let opposites: ReadonlyMap<string, ReadonlySet<string>> | undefined;
let lookalikes: ReadonlySet<string> | undefined;

function oppositesOf(stem: string): ReadonlySet<string> | undefined {
  if (opposites === undefined) {
    const found = new Map<string, Set<string>>();
    const note = (one: string, other: string): unknown => found.set(one, (found.get(one) ?? new Set()).add(other));
    for (const pair of OPPOSITES.trim().split(/\s+/)) {
      const [one = "", other = ""] = pair.split("/").map(stemOf);
      note(one, other);
      note(other, one);
    }
    opposites = found;
  }
  return opposites.get(stem);
}

/**
 * Whether a sentence says the contrary of what is asked, so that it does not answer, however many words the two share: the question
 * denies and the sentence does not (who did not sign / who signed), or one has the opposite of a word of the other (the largest / the
 * smallest; in English). Both together say the same again. `language` is the sentence's (ISO 639-1); a question in another one is
 * not judged.
 */
export function isContrary(question: string, sentence: string, language: string): boolean {
  if ((detectLanguage(question) ?? language) !== language) return false;
  const asked = wordsOf(question.replace(BOTH, " "));
  const said = wordsOf(sentence);
  return isDenied(asked, said, language) !== (language === "en" && isOpposed(asked, said));
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().replaceAll("’", "'").match(WORD));

function isDenied(asked: ReadonlySet<string>, said: ReadonlySet<string>, language: string): boolean {
  const denying = new Set(DENYING[language]?.split(" "));
  const denies = (word: string): boolean => denying.has(word) || denying.has(word.split("'", 1)[0] ?? "") || word.endsWith("n't");
  const byItself = DENYING_BY_ITSELF[language];
  return [...asked].some(denies) && ![...said].some((word) => denies(word) || byItself?.test(word) === true);
}

function isOpposed(asked: ReadonlySet<string>, said: ReadonlySet<string>): boolean {
  lookalikes ??= new Set(LOOKALIKES.split(" ").map(stemOf));
  const [ours, theirs] = [new Set([...asked].map(stemOf)), new Set([...said].map(stemOf))];
  const onlyTheirs = [...theirs].filter((stem) => !ours.has(stem));
  return [...ours].some((stem) => {
    if (theirs.has(stem)) return false;
    const opposite = oppositesOf(stem);
    return onlyTheirs.some((other) => opposite?.has(other) === true || isTurned(stem, other) || isTurned(other, stem));
  });
}

const isTurned = (stem: string, turned: string): boolean =>
  stem.length >= LEAST_TURNED && turned.endsWith(stem) && !lookalikes?.has(turned) && TURNING.includes(turned.slice(0, -stem.length));
