import { expect, it } from "vitest";
import { contradicts } from "#retrieval/answer/contradiction.ts";
import { answerExtractively } from "#retrieval/answer/extractive.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { fakeBoard } from "../fake-search.ts";

it.each([
  ["Which country did not sign the treaty?", "France signed the treaty in 1763.", "en"],
  ["Who didn’t sign the treaty?", "France signed the treaty in 1763.", "en"],
  ["What is the smallest lake of the valley?", "The largest lake of the valley is the Tern.", "en"],
  ["What happens when the pressure increases?", "The flow stops when the pressure is decreasing.", "en"],
  ["Which shop is closed on Mondays?", "The shop at the pier is open on Mondays.", "en"],
  ["Which plans did the council approve?", "The council rejected the plans for the pier.", "en"],
  ["When Spain signed, which country did not sign?", "France signed the treaty with Spain.", "en"],
  ["Which visits are unannounced?", "Visits of the board are announced a week before.", "en"],
  ["Which roads are legal for lorries?", "Lorries on Hill Road are illegal.", "en"],
  ["Welche Brücke ist nicht gesperrt?", "Die alte Brücke ist seit Mai gesperrt.", "de"],
  ["Quelle porte n’est pas fermée le soir ?", "La porte du nord est fermée le soir.", "fr"],
  ["¿Qué puerta no está cerrada por la noche?", "La puerta del norte está cerrada por la noche.", "es"],
])("the question %j is contradicted by %j", (question, sentence, language) => {
  expect(contradicts(question, sentence, language)).toBe(true);
});

it.each([
  ["both are negated", "Which country did not sign the treaty?", "Spain has never signed the treaty.", "en"],
  ["the sentence negates with another word", "Who did not sign the treaty?", "Spain refused to sign the treaty.", "en"],
  ["the sentence negates with 'only'", "When may the public not use the pool?", "On Mondays the pool is only for schools.", "en"],
  ["the question asks for both", "Does it matter whether or not the gate is open?", "The gate is open at six.", "en"],
  ["the question negates nothing", "Who has not only signed but paid?", "Spain signed and paid.", "en"],
  ["the sentence has both antonyms", "What is the largest lake?", "The largest and the smallest lake lie in the north.", "en"],
  ["two negations cancel each other", "Which price does not increase?", "The price of the ferry decreases.", "en"],
  ["a word only looks like an antonym", "Who may cover the pool?", "Divers discover the pool.", "en"],
  ["the question asks for neither", "When does the gate open?", "The gate does not open before six.", "en"],
  ["the question is in another language", "Which bridge is not closed for the summer?", "Die alte Brücke ist seit Mai gesperrt.", "de"],
  ["antonyms are known in English only", "Welcher See ist der kleinste?", "Der größte See ist der Tern.", "de"],
  ["the antonym is negated", "Which roads are open in winter?", "Hill Road is never closed in winter.", "en"],
  ["the antonym answers a negation", "When is the pool not open?", "The pool is closed on Mondays, and nobody swims before six.", "en"],
  ["words only share a prefix", "Who is important for the town?", "All export goods of the town went down the river.", "en"],
  ["a form means something else", "What is the news about the bridge?", "The old bridge reopens in May.", "en"],
  ["a time of day is no number", "What happens on Friday evening?", "Friday at 19:00: quiz, odd teams first.", "en"],
  ["a word looks turned with its ending", "How long was he in prison?", "He was imprisoned for three years.", "en"],
  ["a length is asked for", "How long is the film about the harbour?", "The film about the harbour is a short one of 12 minutes.", "en"],
  ["a number is asked for", "How many seats are there?", "There are a few more than 200 seats in the hall.", "en"],
  ["a yes or a no is asked for", "Is smoking allowed in the rooms?", "Smoking is prohibited in all rooms.", "en"],
  ["a reason is asked for", "Why is the printer on floor 2 not working?", "The printer on floor 2 is broken.", "en"],
  ["the speaker talks about themselves", "I can't find the password, what is it?", "The password is hunter2.", "en"],
  ["another sentence negates", "Where can I pay in cash? I do not have a card.", "Pay in cash at the desk.", "en"],
  ["the sentence advises against something", "What should I not eat?", "Avoid raw fish.", "en"],
  ["an apostrophe is missing", "Who did not sign the treaty?", "Spain didnt sign the treaty.", "en"],
  ["a number has a short form", "What is in room no. 12?", "Room 12 holds the archive.", "en"],
  ["a title denies", "Who wrote Much Ado About Nothing?", "Much Ado About Nothing is by Shakespeare.", "en"],
  ["the question asks for both, in German", "Wer hat nicht nur unterschrieben?", "Spanien hat unterschrieben.", "de"],
  ["it is a tag", "Wann ist das Fest, nicht wahr?", "Das Fest ist am Freitag um acht.", "de"],
  ["a word denies when it is elided", "Cine nu a semnat tratatul?", "Spania n-a semnat tratatul.", "ro"],
  ["letters and accents are apart", "Quem não assinou o tratado?", "A Espanha não assinou o tratado.".normalize("NFD"), "pt"],
  ["a verb looks like a denial", "¿Quién nada más rápido?", "Ana es la más rápida del equipo.", "es"],
  ["nothing is known of the language", "Hangi köprü kapalı değil?", "Eski köprü mayıstan beri kapalı.", "tr"],
])("a sentence does not contradict a question if %s", (_why, question, sentence, language) => {
  expect(contradicts(question, sentence, language)).toBe(false);
});

it("a board that contradicts the question does not count as answering, and cites the sentence", async () => {
  const tiles = [{ id: "treaty", title: "The treaty", text: "France signed the treaty of the harbour in 1763." }];
  const ask = async (question: string) =>
    answerExtractively(question, await retrieve(fakeBoard(tiles), "b", "c", question, { limit: 10 }), { connected: true });
  expect(await ask("Who signed the treaty of the harbour?")).toMatchObject({ answered: true });
  const denied = await ask("Who never signed the treaty of the harbour?");
  expect(denied).toMatchObject({ answered: false, citations: [{ tileId: "treaty" }] });
});
