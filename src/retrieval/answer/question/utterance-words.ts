import { foldWord, splitWords } from "../../text/tokenise.ts";

/** Folded words, as `splitWords` gives them. The lists are of English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish. */
const listWords = (text: string): ReadonlySet<string> => new Set(splitWords(text).map(foldWord));

/** A text of these and of `COURTESIES` alone is a greeting or thanks. */
export const GREETINGS = listWords(`
hi hello hey hiya howdy greetings morning evening afternoon goodbye bye thanks thank thx ty cheers welcome
hallo moin servus tschüss danke dank dankeschön guten grüezi
bonjour bonsoir salut coucou merci revoir
hola buenos buenas gracias adiós
ciao buongiorno buonasera grazie arrivederci salve
olá oi obrigado obrigada tchau bom boa
dag dankjewel bedankt dankuwel goedemorgen goedemiddag goedenavond doei
hej tack hejdå
ok okay yes yep no nope cool great nice perfect lol super
привет здравствуйте спасибо пока
你好 您好 谢谢 谢谢你 再见
こんにちは ありがとう おはよう さようなら
안녕하세요 감사합니다
`);

export const COURTESIES = listWords(`
good day night a lot so very much you there everyone all again how are is it going doing and for your the help see later
morgen tag abend nacht schön sehr vielen dir ihnen und auf wiedersehen gut
beaucoup au à bien ça va et vous tous
días tardes noches muchas muchos mil
mille molte tante tanto sera
dia tarde noite muito
wel je u
så mycket dig
большое
ございます
`);

/**
 * Words that mean something only with what was said before; a question with no other content word needs it. Words that name something in
 * another language are left out: "mer", "meer", "mai".
 */
export const LONE_WORDS = listWords(`
really else more exactly again sure go continue explain elaborate mean say example details detail reason
wirklich sonst mehr genau nochmal weiter wieso weshalb davon dazu deshalb denn dann also doch noch mal bitte
vraiment encore exactement alors donc sinon pourquoi comment ça cela
realmente más exactamente entonces también eso esto así
davvero altro ancora esattamente allora così invece poi
mesmo mais exatamente então também isso
echt precies nog dan verder hoezo
verkligen exakt sedan då varför hur
`);

/** Words that point to a time or thing beside one that was named before. */
export const RELATIVE_WORDS = listWords(`
year years month months week weeks day days before after next previous last following earlier later first second third other others
rest same one ones time then
jahr jahre monat woche tag davor danach vorher nachher vorige vorigen letzte letzten letztes nächste nächsten nächstes folgende
folgenden andere anderen erste ersten zweite zweiten
l d année an ans mois semaine jour avant après précédente précédent suivante suivant dernière dernier prochaine prochain autre autres
première premier deuxième
año años mes semana día antes después anterior siguiente pasado pasada próximo próxima otro otra otros otras primero primera segundo
anno anni mese l settimana giorno prima dopo precedente successivo scorso scorsa prossimo prossima altro altra altri altre primo secondo
ano anos mês dia depois seguinte passado passada outro outra outros outras primeiro segundo
jaar maand week dag ervoor daarvoor erna daarna vorige volgende laatste andere eerste tweede
år månad vecka dag året innan före efter förra nästa andra första
`);

/** Days that continue a question after a connector: "and on Sunday?". With the prepositions that are no stop words. */
export const DAY_WORDS = listWords(`
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays weekend weekends
montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags wochenende
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo sábados domingos
lunedì martedì mercoledì giovedì venerdì sabato domenica
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag op
måndag tisdag onsdag torsdag fredag lördag söndag på
`);

/** What begins a text that points to something named before: "the year before?". Also joined with a preposition. */
export const ARTICLES = listWords("the der die das den dem im am le la les l el los las il lo gli o a os as no na de het det");

/** What begins a question that goes on from another one. */
export const CONNECTORS: readonly (readonly string[])[] = `
and what about|and how about|what about|how about|and|but|so|or
und was ist mit|was ist mit|und|aber|oder
et pour|et|mais|ou
y qué tal|qué tal|y|pero|o
e per|e|ma
en hoe zit het met|hoe zit het met|en|maar
och
а|и|но
`
  .trim()
  .split(/[\n|]/)
  .map((words) => splitWords(words).map(foldWord))
  .sort((a, b) => b.length - a.length);

/** Pronouns that are no other word in another language of the lists or in Danish, where "er" is a verb and "her" means "here". */
export const PRONOUNS = {
  /** Of a person who was named before. */
  person: listWords("he she him his hers ihn ihm lui ella lei ele ela hij zij hem han hon honom henne"),
  /** Of a thing that was named before. */
  thing: listWords("it its they them their that this these those cela ça eso esto esso ciò isso"),
  /** At the end of a question. Before a noun, some of them are articles. */
  last: listWords("it them that this these those ihn das cela ça eso esto ciò isso dat det"),
  /** At the end of a German question: "Is er wifi?" is Dutch, "¿Cuánto es?" is Spanish. */
  lastInGerman: listWords("er es"),
} as const;

const GERMAN_QUESTION_WORDS = listWords(`
wer wen wem was welche welcher welches welchen wann wo wohin woher wie warum ist sind war waren hat haben kann gibt wird
`);

const QUESTION_WORDS = listWords(`
what which who whom whose when where why how is are was were do does did can could will would should has have had may must
qui que quoi quel quelle quels quelles quand où comment combien est sont était
quién qué cuál cuándo dónde cómo cuánto cuánta cuántos cuántas es son fue hay
chi che cosa quale quali quando dove come quanto quanti è sono era
quem qual quais onde quanto quantos são foi
wie wat welke wanneer waar hoe hoeveel zijn werd
vem vad vilken vilket vilka när var hur är
`);

/** Whether a folded word is one with which German questions begin. */
export const isGermanQuestionWord = (word: string): boolean => GERMAN_QUESTION_WORDS.has(word);

/** Whether a folded word asks, or is a verb with which questions begin. */
export const isQuestionWord = (word: string): boolean => QUESTION_WORDS.has(word) || GERMAN_QUESTION_WORDS.has(word);
