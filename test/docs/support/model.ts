import { type OpenAiServer, startOpenAiServer } from "../../support/servers/openai-server.ts";

const CITATIONS = [{ source: 1, quote: "leaves every hour" }];
const ANSWER = 'A ticket costs four euros. [1: "A ticket costs four euros"]';
const DRAFT = JSON.stringify({
  title: "By ferry",
  sections: [{ heading: "", text: "The ferry takes you there every hour.", citations: CITATIONS }],
});
const IDEAS = JSON.stringify({
  ideas: [
    { title: "By ferry", hook: "A boat every hour.", angle: "Plan a day.", rationale: "One tile has the times.", citations: CITATIONS },
  ],
});

/** A language model for the guides, which answers from the tile about the ferry. */
export const startGuideModel = (): Promise<OpenAiServer> =>
  startOpenAiServer(({ system, prompt }) => ({
    text: system.startsWith("You answer one question") ? ANSWER : /Number of ideas/.test(prompt) ? IDEAS : DRAFT,
  }));
