/** Words whose full stop usually does not end a sentence, in lower case without the last stop. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `mr mrs ms dr prof rev hon st mt ft gen col lt capt sgt maj cmdr adm gov sen rep pres vs v e.g i.e cf viz approx ca c al
  ed eds dept est jan feb mar apr jun jul aug sep sept oct nov dec
  z.b d.h u.a o.ä bzw usw ggf evtl inkl hr fr geb gest str sog vgl bspw mme mlle sr sra dra ud uds av`.split(/\s+/),
);

/** Abbreviations only before a number; elsewhere they are words that may end a sentence. */
const BEFORE_NUMBER: ReadonlySet<string> = new Set("fig figs eq eqs sec ch vol vols no nos pp p art nr abs pág".split(" "));

/** Words that begin a sentence far more often than they follow an abbreviation such as U.S. */
const SENTENCE_STARTERS: ReadonlySet<string> = new Set(
  `The This That These Those He She It They We I You In On At By For From A An And But However As If When While After
  Before His Her Its Their Our Der Die Das Er Sie Es Le La Les El Los`.split(/\s+/),
);

const GERMAN_AFTER_ORDINAL =
  /^(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jh|Lebensjahr)/;
/** Words before a German or Scandinavian ordinal number, as in "im 2. Stock" and "den 3. plads". */
const BEFORE_ORDINAL = /(?:^|\s)(?:im|am|vom|zum|zur|beim|ins|der|die|das|dem|den|des)\s$/i;
const INITIALS = /^(?:\p{L}\.)*\p{L}$/u;
const DIGIT = /^\d/;
const SHORT_NUMBER = /^\d{1,2}$/;

/** Whether the full stop after `word` belongs to it, given the text of its line before it, and the text after it. */
export function isAbbreviation(word: string, before: string, next: string): boolean {
  const isStarter = SENTENCE_STARTERS.has(/^\p{L}*/u.exec(next)?.[0] ?? "");
  if (SHORT_NUMBER.test(word)) return before === "" || GERMAN_AFTER_ORDINAL.test(next) || (BEFORE_ORDINAL.test(before) && !isStarter);
  if (BEFORE_NUMBER.has(word.toLowerCase()) && DIGIT.test(next)) return true;
  if (INITIALS.test(word)) return !isStarter || word.length === 1;
  return ABBREVIATIONS.has(word.toLowerCase());
}
