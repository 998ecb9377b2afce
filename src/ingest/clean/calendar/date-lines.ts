import { CALENDAR_WORDS } from "./calendar.ts";

const splitWords = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

const DATE_FILLERS = new Set(
  "at on um uhr de del am pm a m p of the th st nd rd et à às as h o and und last updated update published publish posted post modified created first original originally aktualisiert aktualisierung publiziert veröffentlicht stand vom zuletzt geändert erstellt publicado publicada actualizado actualizada atualizado atualizada publié publiée mis jour le la modifié pubblicato pubblicata aggiornato il alle ore opublikowano aktualizacja data date datum fecha time ago min mins minute minutes minuten minutos hour hours stunden day days read reading time lesezeit lecture leitura lesedauer tempo de gmt utc est edt cst cdt pst pdt mst mdt cet cest bst ist amt msk uur г".split(
    " ",
  ),
);

const MAX_OTHER_WORDS = 4;

/** Whether a line contains a date or a time and at most `maxOtherWords` other words, such as a name. */
export function isDateLine(text: string, maxOtherWords: number = MAX_OTHER_WORDS): boolean {
  if (text.length > 160 || !/\d{4}|\d{1,2}[:.h]\d{2}|\d+ ?(?:min|hour|day|tag|std)/i.test(text)) return false;
  return splitWords(text).filter((word) => !CALENDAR_WORDS.has(word) && !DATE_FILLERS.has(word)).length <= maxOtherWords;
}
