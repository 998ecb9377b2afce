import type { TextContext } from "#domain/answers/search.ts";

/** Function words by ISO 639-1 code. */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: "the of and to is was were that with as by from at which this are be been has have had not but what who when where why how did does do its their they it he she his her for on",
  de: "der die das und ist nicht ein eine einen dem den des zu mit auf für von sich auch wird wurde wurden sind war wie wer welche welcher welches wo wann warum bei nach aus als oder durch über zum zur",
  fr: "le les des et est dans du que qui pour pas sur une au aux avec ce cette sont était il elle ils quel quelle quels quelles où quand comment pourquoi leur ses ont été par plus",
  es: "el la en a los las y es del que una por con para su sus como fue qué quién cuál cuándo dónde cómo cuánto cuántos cuántas cuáles quiénes más pero sobre entre era eran han ser este esta",
  it: "il gli di che è della delle dei nel nella per non sono con più come quale quali quando dove perché chi quanto quanti stato alla dal ai lo",
  pt: "os uma do da dos das não em no na que foi com como mais ao pela pelo são quem qual quais quando onde quanto quantos também seu sua e à",
  nl: "het een van en is niet dat op te zijn voor met aan er wordt werd wie wat waar wanneer hoe waarom welke door bij ook naar uit deze om",
  vi: "và của là có được trong cho không với các những một để này đã người khi như gì nào ai đâu bao nhiêu từ vào ra tại",
  ro: "și este în la cu pe care din nu sunt ale fost prin mai ce cine când unde cum cât câți câte pentru într au lui al",
  tr: "ve bir bu için ile olarak ne kim nerede nasıl neden hangi kaç olan daha çok da gibi sonra kadar tarafından en olduğu değil",
  sv: "och att det som en på är av för med den till inte om ett har vad vem när var hur varför de från eller kan",
};

/** Characters that are examined: more than enough to detect the language of a page. */
const MAX_CHARACTERS = 4_000;
const WORD = /[\p{L}\p{M}]+/gu;

let languages: ReadonlyMap<string, readonly string[]> | undefined;

function getLanguagesByWord(): ReadonlyMap<string, readonly string[]> {
  if (languages === undefined) {
    const byWord = new Map<string, string[]>();
    for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
      for (const word of words.split(" ")) byWord.set(word, [...(byWord.get(word) ?? []), language]);
    }
    languages = byWord;
  }
  return languages;
}

/** Returns the language (ISO 639) of a BCP 47 tag: `pt` for `pt-BR`. */
const toLanguage = (tag: string | null): string | null => tag?.split("-", 1)[0]?.toLowerCase() ?? null;

/** Returns the language (ISO 639) of a text: that of its hint, or of the first sample whose language is detected; English without one. */
export function chooseLanguage({ languageHint = null }: Pick<TextContext, "languageHint">, samples: readonly string[]): string {
  const hinted = toLanguage(languageHint);
  if (hinted !== null) return hinted;
  for (const sample of samples) {
    const detected = detectLanguage(sample);
    if (detected !== null) return detected;
  }
  return "en";
}

/**
 * Detects the language (ISO 639-1) of a text in Latin letters by its function words; null if there are none, or if two languages
 * are about equally likely. A question of six words is enough, a line of names is not.
 */
export function detectLanguage(text: string): string | null {
  const byWord = getLanguagesByWord();
  const counts = new Map<string, number>();
  for (const word of text.slice(0, MAX_CHARACTERS).toLowerCase().match(WORD) ?? []) {
    const found = byWord.get(word);
    // A word of several languages counts less for each.
    for (const language of found ?? []) counts.set(language, (counts.get(language) ?? 0) + 1 / (found as readonly string[]).length);
  }
  const [first, second] = [...counts].toSorted((a, b) => b[1] - a[1]);
  if (first === undefined || first[1] < 1) return null;
  return second !== undefined && second[1] > 0.8 * first[1] ? null : first[0];
}
