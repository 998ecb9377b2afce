import { foldWord, splitWords, tokenise } from "../tokenise.ts";

/** Question words, articles and similar words of several languages, without those that mean something else in English (die, war, son). */
const WORDS = `
a about above after again against all am an and any are as at be because been before being below between both but by can
could did do does doing down during each few for from further had has have having he her here hers herself him himself his
how i if in into is it its itself just me more most my myself no nor not now of off on once only or other our ours ourselves
out over own please same she should so some such tell than that the their theirs them themselves then there these they this
those through to too under until up us very was we were what when where which while who whom whose why will with would you
your yours yourself s t d ll re ve m
der das den dem des ein eine einen einem einer eines und oder ist sind war waren wird werden wurde wurden wer wen wem wessen
wie wo wann warum welche welcher welches welchen welchem viele nicht auf aus bei mit nach von vor zu zum zur im am für über
durch sich es er sie wir ihr hat haben hatte
le la les un une et ou est sont était dans que qui quoi quel quelle quels quelles où quand comment pourquoi combien ne pas
pour par sur avec ce cette ces il elle ils elles au aux du
el los las una unos unas y es son fue en qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas por
para con del al se su sus lo
il gli di che chi cosa quale quali quando dove come perché quanto quanti quante è nel nella della dei delle con
o os um uma do da dos das no na quem qual quais onde por quanto quantos foi
het een van wie wat waar wanneer waarom hoe welke zijn werd
и в во не что кто где когда почему как какой какая какое какие каком какую каких сколько на по из от для с со был была было
были это к у о об
的 了 是 在 和 与 有 什么 什 么 哪 哪里 哪个 哪些 谁 多少 几 吗 呢 如何 怎么 怎样 为什么 何时 何地 被 于 由
は が の を に で と も か へ や です ます でした ました した する いる ある この その それ 何 誰 どこ いつ なぜ どの どう
คือ ที่ ใน ของ และ เป็น อะไร ใคร ไหน เมื่อไร อย่างไร ทำไม เท่าไร กี่ ได้ มี จาก ให้ ว่า
ما ماذا من متى أين كيف لماذا كم هل هو هي في على إلى عن التي الذي كان كانت أي و
क्या कौन कब कहाँ क्यों कैसे कितने कितनी किस किसने का की के को में से पर है हैं था थे थी ने और एक यह
`;

let words: ReadonlySet<string> | undefined;

/** Whether a folded word, or a term returned by `tokenise`, is a stop word. */
export function isStopWord(term: string): boolean {
  words ??= new Set([...splitWords(WORDS).map(foldWord), ...tokenise(WORDS)]);
  return words.has(term);
}
