import type { TileMetadata } from "#domain/content/tile.ts";
import { createRandom } from "../../output/random-text.ts";
import type { Content } from "../search/quality-service.ts";
import { FEEDS } from "./tiles/feeds.ts";
import { LANGUAGES } from "./tiles/languages.ts";
import { MEETINGS } from "./tiles/meetings.ts";
import { NOTES } from "./tiles/notes.ts";
import { PAGES } from "./tiles/pages.ts";
import { POSTS } from "./tiles/posts.ts";
import { PRODUCTS } from "./tiles/products.ts";
import { RECIPES } from "./tiles/recipes.ts";

/** Filler between the turns of a meeting that matter. */
const CHATTER = [
  "Can everybody hear me? Good.",
  "Sorry, I was muted.",
  "Let me share my screen. One moment.",
  "Yes, I see it now.",
  "Hm, that is a fair point.",
  "Could you say that again, the line was bad for a second.",
  "Right. Shall we go on?",
  "I will write that down.",
  "We have talked about this before, I think.",
  "Exactly, that is what I meant.",
  "Okay, thanks. Anything else on this?",
  "Let's take that outside of this round.",
  "I'd like to hear what the others think.",
  "No, nothing from my side.",
];
const PAGE_INTRO = [
  "This page was last looked over in spring and is kept up by volunteers.",
  "You find the most important things here at a glance.",
  "Many readers have written to us about this, so here is a summary.",
  "The text may be shared as long as its source is named.",
];
const PAGE_END = [
  "Did this help you? Tell us what is missing.",
  "All statements without warranty; changes are possible at short notice.",
  "More on the subject stands in our archive.",
  "Subscribe to our letter and miss nothing.",
];
const SHOP_END = [
  "Delivered within two to four working days. You may send it back within thirty days without giving a reason.",
  "Customers rate us 4.6 out of 5. Questions? Our team is there on weekdays from nine to five.",
  "All prices with tax, plus postage. Pay by invoice, card or bank transfer.",
];
const SECONDS_A_WORD = 0.42;

/** Composes the tiles of the board from hand-written facts and filler; the same in every run. */
export function composeTiles(): Content[] {
  const random = createRandom(31);
  const pick = (lines: readonly string[]): string => lines[Math.floor(random() * lines.length)] ?? "";
  const tiles: Content[] = [
    ...NOTES.map(([id, title, text]) => ({ id, title, text })),
    ...MEETINGS.map(([id, title, turns]) => composeMeeting(id, title, turns, pick, random)),
    ...PAGES.map(([id, title, parts]) => {
      const body = parts.map(([heading, text]) => `## ${heading}\n\n${text}`).join("\n\n");
      return fromPage(id, title, `${pick(PAGE_INTRO)}\n\n${body}\n\n${pick(PAGE_END)}`);
    }),
    ...RECIPES.map(([id, title, ingredients, steps]) => {
      const list = ingredients.map((ingredient) => `- ${ingredient}`).join("\n");
      const method = steps.map((step, at) => `${at + 1}. ${step}`).join("\n");
      return fromPage(id, title, `## Ingredients\n\n${list}\n\n## Method\n\n${method}`);
    }),
    ...PRODUCTS.map(([id, name, about, facts]) => {
      const list = facts.map((fact) => `- ${fact}`).join("\n");
      return fromPage(id, name, `${about}\n\n## Features\n\n${list}\n\n## Delivery and payment\n\n${pick(SHOP_END)}`);
    }),
    ...POSTS.map(([id, type, author, text]): Content => {
      const metadata: TileMetadata = { author };
      return { id, type, title: `${author}: ${text.slice(0, 50)}…`, text, metadata, sourceUrl: `https://social.example/${id}` };
    }),
    ...FEEDS.map(([id, title, entries]): Content => {
      const text = entries.map(([date, headline, line]) => `## ${headline}\n\n${date}\n\n${line}`).join("\n\n");
      return { id, type: "FEED", title, text, sourceUrl: `https://feeds.example/${id}` };
    }),
    ...LANGUAGES.map(([id, title, text]) => ({ id, title, text })),
  ];
  return shuffle(tiles, random);
}

const fromPage = (id: string, title: string, text: string): Content => ({
  id,
  type: "WEBSITE",
  title,
  text,
  sourceUrl: `https://pages.example/${id}`,
});

/** Composes a meeting, with one line and its time for each turn. */
function composeMeeting(
  id: string,
  title: string,
  turns: readonly string[],
  pick: (lines: readonly string[]) => string,
  random: () => number,
): Content {
  const speakers = [...new Set(turns.map((turn) => turn.slice(0, turn.indexOf(":"))))];
  const lines = turns.flatMap((turn) => {
    const between = Array.from({ length: 1 + Math.floor(random() * 4) }, () => `${pick(speakers)}: ${pick(CHATTER)}`);
    return [...between, turn];
  });
  let text = "";
  let seconds = 0;
  const segments = lines.map((line) => {
    const start = text.length;
    text += `${line}\n`;
    const segment = { start, end: text.length - 1, seconds: Math.round(seconds) };
    seconds += line.split(" ").length * SECONDS_A_WORD + random();
    return segment;
  });
  return { id, type: "YOUTUBE", title, text: text.trimEnd(), segments, sourceUrl: `https://video.example/${id}` };
}

/** Shuffles tiles (Fisher–Yates), so that tiles of one kind are not adjacent. */
function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}
