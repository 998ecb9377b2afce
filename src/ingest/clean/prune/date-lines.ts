const LANGUAGES = "en de fr es it pt nl pl cs ru tr sv da nb fi id hu ro el".split(" ");

/** Names of months and days, long and short, in the languages that the machine knows. */
function calendarWords(): ReadonlySet<string> {
  const words = new Set<string>();
  for (const language of LANGUAGES) {
    for (const style of ["long", "short"] as const) {
      const month = new Intl.DateTimeFormat(language, { month: style, day: "numeric", timeZone: "UTC" });
      const day = new Intl.DateTimeFormat(language, { weekday: style, timeZone: "UTC" });
      for (let at = 0; at < 12; at++) for (const word of wordsOf(month.format(Date.UTC(2024, at, 1)))) words.add(word);
      for (let at = 1; at <= 7; at++) for (const word of wordsOf(day.format(Date.UTC(2024, 0, at)))) words.add(word);
    }
  }
  return words;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

const AROUND = new Set(
  "at on um uhr de del am pm a m p of the th st nd rd et à às as h o and und last updated update published publish posted post modified created first original originally aktualisiert aktualisierung publiziert veröffentlicht stand vom zuletzt geändert erstellt publicado publicada actualizado actualizada atualizado atualizada publié publiée mis jour le la modifié pubblicato pubblicata aggiornato il alle ore opublikowano aktualizacja data date datum fecha time ago min mins minute minutes minuten minutos hour hours stunden day days read reading time lesezeit lecture leitura lesedauer tempo de gmt utc est edt cst cdt pst pdt mst mdt cet cest bst ist amt msk uur г".split(
    " ",
  ),
);
const CALENDAR = calendarWords();

const MOST_WORDS_BESIDE = 4;

/** Whether a line is a date or a time with at most a name and a few words around it. */
export function isDateLine(text: string): boolean {
  if (text.length > 160 || !/\d{4}|\d{1,2}[:.h]\d{2}|\d+ ?(?:min|hour|day|tag|std)/i.test(text)) return false;
  return wordsOf(text).filter((word) => !CALENDAR.has(word) && !AROUND.has(word)).length <= MOST_WORDS_BESIDE;
}
