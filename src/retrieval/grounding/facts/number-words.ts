/** The words of 0 to 20, by language; an empty string where a language has none. */
const UNITS: readonly string[] = [
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
  "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig",
  "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte",
];
/** The words of 20, 30 … 90. */
const TENS: readonly string[] = [
  "twenty thirty forty fifty sixty seventy eighty ninety",
  "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
  "vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix",
  "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
  "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
  "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
  "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
];
const SCALES: ReadonlyMap<string, number> = new Map(
  (
    [
      [100, "hundred hundert cent cents cien ciento cento honderd cem"],
      [1e3, "thousand tausend tsd mille mil mila duizend k"],
      [1e6, "million millions mio mn million millionen millones millón milione milioni miljoen milhão milhões"],
      [1e9, "billion billions bn milliarde milliarden mrd milliard milliards miliardo miliardi miljard"],
      [12, "dozen dutzend douzaine docena dozzina dozijn dúzia"],
    ] as const
  ).flatMap(([scale, words]) => words.split(" ").map((word) => [word, scale] as const)),
);
/** Scales that German and Dutch write in one word with what they multiply. */
const GLUED_SCALE = /hundert|tausend|honderd|duizend/;
const MAX_WORD_LENGTH = 60;
const JOINERS = new Set(["and", "und", "et", "y", "e", "en"]);
/** Words that mean something else in another language or by themselves; alone they prove a figure, but claim none. */
const AMBIGUOUS = new Set(
  "zero null un uno one eins een um once due sei neuf cent cents mille mil k mn ten elf tres tre seize six acht dozen dutzend million billion hundred thousand hundert tausend".split(
    " ",
  ),
);

const WORDS: ReadonlyMap<string, number> = new Map(
  UNITS.flatMap((line, language) => {
    const units = line.split(" ");
    const tens = (TENS[language] ?? "").split(" ");
    const compounds = tens.flatMap((ten, at) =>
      units.slice(1, 10).flatMap((unit, below): (readonly [string, number])[] => {
        const value = (at + 2) * 10 + below + 1;
        const one = below === 0 ? unit.replace(/^eins$/, "ein") : unit;
        return [`${ten}-${unit}`, `${ten}${unit}`, `${one}und${ten}`, `${one}en${ten}`, `${one}ën${ten}`].map((word) => [word, value]);
      }),
    );
    return [...compounds, ...tens.map((ten, at) => [ten, (at + 2) * 10] as const), ...units.map((unit, at) => [unit, at] as const)];
  }),
);

/** The scale of a word after a figure, such as `k` or `Millionen`; undefined for other words. */
export const findScale = (word: string): number | undefined => SCALES.get(word.toLowerCase().replace(/\.$/, ""));

export type WordNumber = { readonly value: number; /** Whether it is surely a number. */ readonly isClaim: boolean };

/** Finds the numbers that a text spells out. Words that follow each other are one number, such as "two hundred and five". */
export function findWordNumbers(text: string): WordNumber[] {
  const found: WordNumber[] = [];
  let run: string[] = [];
  const close = (): void => {
    const value = evaluate(run);
    if (value !== null) found.push({ value, isClaim: run.length > 1 || !AMBIGUOUS.has(run[0] ?? "") });
    run = [];
  };
  for (const word of text.toLowerCase().match(/[\p{L}-]+|[^\p{L}\s-]+/gu) ?? []) {
    const parts = splitWord(word);
    if (parts !== null) run.push(...parts);
    else if (!(run.length > 0 && JOINERS.has(word))) close();
  }
  close();
  return found;
}

/** Returns the number words of a word, which German and Dutch write together: "zweihundert". Null for other words. */
function splitWord(word: string): string[] | null {
  if (WORDS.has(word) || SCALES.has(word)) return [word];
  const scale = word.length > MAX_WORD_LENGTH ? undefined : GLUED_SCALE.exec(word);
  if (scale === undefined || scale === null) return null;
  const head = word.slice(0, scale.index);
  const rest = word.slice(scale.index + scale[0].length).replace(/^und/, "");
  const first = head === "" ? [] : head === "ein" ? ["eins"] : splitWord(head);
  const last = rest === "" ? [] : splitWord(rest);
  return first === null || last === null ? null : [...first, scale[0], ...last];
}

function evaluate(words: readonly string[]): number | null {
  if (words.length === 0) return null;
  let [total, current] = [0, 0];
  for (const word of words) {
    const scale = SCALES.get(word);
    if (scale === undefined) current += WORDS.get(word) ?? 0;
    else if (scale <= 100) current = Math.max(1, current) * scale;
    else [total, current] = [total + Math.max(1, current) * scale, 0];
  }
  return total + current;
}
