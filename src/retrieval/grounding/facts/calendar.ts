/** The names of months, January first: of English, German, French, Spanish, Italian, Dutch and Portuguese. */
const MONTHS = [
  "january jan januar jänner janvier enero gennaio januari janeiro",
  "february feb februar février febrero febbraio februari fevereiro",
  "march mar märz mars marzo maart março",
  "april apr avril abril aprile",
  "may mai mayo maggio mei maio",
  "june jun juni juin junio giugno junho",
  "july jul juli juillet julio luglio julho",
  "august aug août agosto augustus",
  "september sep sept septembre septiembre settembre setembro",
  "october oct oktober okt octobre octubre ottobre outubro",
  "november nov novembre noviembre novembro",
  "december dec dezember dez décembre diciembre dicembre dezembro",
];
const WEEKDAYS = [
  "monday mondays montag montags lundi lundis lunes lunedì maandag segunda-feira",
  "tuesday tuesdays dienstag dienstags mardi mardis martes martedì dinsdag terça-feira",
  "wednesday wednesdays mittwoch mittwochs mercredi mercredis miércoles mercoledì woensdag quarta-feira",
  "thursday thursdays donnerstag donnerstags jeudi jeudis jueves giovedì donderdag quinta-feira",
  "friday fridays freitag freitags vendredi vendredis viernes venerdì vrijdag sexta-feira",
  "saturday saturdays samstag samstags sonnabend samedi samedis sábado sábados sabato zaterdag",
  "sunday sundays sonntag sonntags dimanche dimanches domingo domingos domenica zondag",
];
const index = (lines: readonly string[]): ReadonlyMap<string, number> =>
  new Map(lines.flatMap((line, at) => line.split(" ").map((word) => [word, at + 1] as const)));
const MONTH_OF = index(MONTHS);
const WEEKDAY_OF = index(WEEKDAYS);
/** Words that cover days without naming them. */
const COVERS_DAYS =
  /\b(?:daily|every day|weekdays?|weekends?|täglich|jeden tag|werktags?|wochenende|tous les jours|week-end|diario|todos los días|fin de semana|ogni giorno|dagelijks|weekend)\b|(?<!\p{L})\p{L}{3,20}\s?(?:-|–|to|through|until|bis|à|au|a|al|tot|hasta)\s(?:le |el )?\p{L}{3}/iu;

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}-]+|\d+/gu) ?? [];

/** Returns the months that a sentence gives a day or a year of; other words are the same, such as "may". */
export function readDatedMonths(sentence: string): number[] {
  const words = splitWords(sentence);
  const isNumber = (at: number): boolean => /^\d/.test(words[at] ?? "");
  return words.flatMap((word, at) => {
    const month = MONTH_OF.get(word);
    const isDated = isNumber(at - 1) || isNumber(at + 1) || (/^(?:de|of|th|st|nd|rd)$/.test(words[at - 1] ?? "") && isNumber(at - 2));
    return month !== undefined && isDated ? [month] : [];
  });
}

/** Returns all months that a text names. */
export const readMonths = (text: string): number[] => splitWords(text).flatMap((word) => MONTH_OF.get(word) ?? []);

const readWeekdays = (text: string): number[] => splitWords(text).flatMap((word) => WEEKDAY_OF.get(word) ?? []);

/** Whether a sentence names a weekday although the evidence names only others, and no span of days. */
export function hasOtherWeekday(sentence: string, evidence: string): boolean {
  const known = new Set(readWeekdays(evidence));
  if (known.size === 0 || COVERS_DAYS.test(evidence)) return false;
  return readWeekdays(sentence).some((day) => !known.has(day));
}
