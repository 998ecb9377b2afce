import { expect, it } from "vitest";
import { recogniseUtterance } from "#retrieval/answer/question/utterance.ts";
import { EVERYDAY_QUESTIONS } from "./everyday-questions.ts";

it.each(
  "hello|Hi there!|thanks|Thank you very much.|ok, thanks|Good morning|danke|Vielen Dank!|Guten Tag|merci beaucoup|bonjour|gracias|buenos días|grazie mille|obrigado|tack|hallo|спасибо|谢谢|ありがとうございます".split(
    "|",
  ),
)("a greeting or thanks is recognised: %s", (text) => expect(recogniseUtterance(text)).toBe("greeting"));

it.each(
  "why?|And why?|how so?|really?|tell me more|what else?|and the year before?|the year before?|what about 2019?|and in 2019?|and who built it?|And who built it?|who built it?|how old is she?|Warum?|und im Jahr davor?|pourquoi ?|et l'année d'avant ?|¿por qué?|¿y el año anterior?|perché?|e l'anno prima?|e no ano anterior?|en het jaar daarvoor?|och året innan?|and in 2011?|and on Sunday?|what about friday?|und am Sonntag?|und wie alt ist er?|wer baute es?|und was kostet das?|et dimanche ?|¿y por qué?|¿y el domingo?|¿qué es eso?|e domenica?|e poi?|e no domingo?|en op zondag?|en waarom?|och på söndag?|och varför?|почему?|为什么？|なぜ？".split(
    "|",
  ),
)("a question that needs an earlier one is recognised: %s", (text) => expect(recogniseUtterance(text)).toBe("follow_up"));

it.each(
  "When is the first day?|What about the lighthouse?|And who built the lighthouse?|and when does the ferry leave?|When does it open?|Is it open on Sunday?|What does it cost?|How does it work?|Who is The Who?|lighthouse|opening hours|2019|year|last bus?|first aid?|Why Mars?|Was kostet der Eintritt?|Und wer hat den Turm gebaut?|Wie lange dauert es?|¿Cuánto cuesta?|Où est la gare ?|営業時間は？|多少钱？|hello world example|thanks to whom was the tower built?|".split(
    "|",
  ),
)("a question with a subject is taken for neither: %s", (text) => expect(recogniseUtterance(text)).toBe(null));

it.each(Object.entries(EVERYDAY_QUESTIONS))("no everyday question is taken for a greeting or a follow-up: %s", (_, questions) => {
  const typed = questions.split(/[\n|]/).flatMap((question) => [question.trim(), question.trim().toLowerCase()]);
  expect(typed.filter((question) => recogniseUtterance(question) !== null)).toEqual([]);
});
