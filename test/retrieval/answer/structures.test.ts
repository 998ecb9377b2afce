import { describe, expect, it } from "vitest";
import { answerExtractively } from "#retrieval/answer/extractive.ts";
import { findBlocks } from "#retrieval/answer/quote/blocks.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { fakeBoard } from "../fake-search.ts";
import { HOSTILE } from "../samples.ts";

const YEARS = Array.from({ length: 60 }, (_, at) => `| ${1900 + at} | ${300 + at * 7} | ${10 + at},000 |`);
const TABLE = ["| Year | Ships | Tonnage |", "| --- | --- | --- |"];
const HISTORY = [
  "# Port history",
  "The port of Harnby was opened in 1871 and has been dredged four times since. Its quay is 410 metres long and has three cranes.",
  "The harbour master counts every ship that calls at the port. The figures before 1900 were lost in the fire of the customs house.",
  "Ships that called at the port, by year:",
];
const createHistory = (rows: number): string =>
  [...HISTORY, [...TABLE, ...YEARS.slice(0, rows)].join("\n"), "The cranes are painted blue."].join("\n\n");

async function ask(question: string, text: string) {
  const tiles = [{ id: "tile", title: "Harnby", text }];
  const found = await retrieve(fakeBoard(tiles), "b", "c", question, { limit: 10 });
  const answer = answerExtractively(question, found, { connected: true });
  for (const { quote, start, end, highlights = [] } of answer.citations) {
    expect(text.slice(start, end)).toBe(quote);
    for (const mark of highlights) expect(mark.start >= 0 && mark.start < mark.end && mark.end <= quote.length).toBe(true);
  }
  return {
    ...answer,
    quotes: answer.citations.map(({ quote }) => quote),
    marked: answer.citations.map(({ quote, highlights = [] }) => highlights.map(({ start, end }) => quote.slice(start, end))),
  };
}

describe("tables", () => {
  it("a table is quoted from its head to the row that answers, which is marked", async () => {
    const { answer, answered, quotes, marked } = await ask("How many ships called in 1903?", createHistory(24));
    expect(answered).toBe(true);
    expect(answer).toBe("Ships that called at the port, by year:\n\nYear: 1903 · Ships: 321 · Tonnage: 13,000");
    expect(quotes[0]).toBe([HISTORY[3], "", ...TABLE, ...YEARS.slice(0, 4)].join("\n"));
    expect(marked[0]).toEqual([YEARS[3]]);
  });
  it("a table is quoted by the row and by the head if they are far apart", async () => {
    const { answer, quotes, marked } = await ask("How many ships called in 1955?", createHistory(60));
    expect(answer).toMatch(/^Year: 1955 · Ships: 685 · Tonnage: 65,000/);
    expect(quotes.slice(0, 2)).toEqual([YEARS[55], [HISTORY[3], "", ...TABLE].join("\n")]);
    expect(marked[0]).toEqual([YEARS[55]]);
  });
  it("a table is quoted with every row that matches, and whole if no word distinguishes them", async () => {
    const text = "| Boat | To |\n| --- | --- |\n| Gull | Skye |\n| Tern | Mull |\n| Skua | Skye |\n\nDogs are welcome.";
    const some = await ask("Which boat goes to Skye?", text);
    expect(some.answer).toBe("Boat: Gull · To: Skye\nBoat: Skua · To: Skye");
    const all = await ask("Which boat goes where?", text);
    expect(all.answer).toBe("Boat: Gull · To: Skye\nBoat: Tern · To: Mull\nBoat: Skua · To: Skye");
    expect(all.quotes[0]).toContain("| Skua | Skye |");
  });
  it("a table is never cut between head and rows when it is beside the sentence that answers", async () => {
    const long = `${"The quay was mended with granite from the quarry at Larch Lane by the town. ".repeat(4)}The pilot of Harnby is Maren Holt.`;
    const { quotes } = await ask("Who is the pilot of Harnby?", `${long}\n\n${[...TABLE, ...YEARS.slice(0, 20)].join("\n")}`);
    expect(quotes[0]).toContain("Maren Holt.");
    expect(quotes[0]).not.toContain("|");
  });
  it("a table is matched by the names of its row and column, also without a line above", async () => {
    const text = "|  | P-20 | P-40 |\n| --- | --- | --- |\n| Maximum head | 2.1 m | 4.0 m |\n| Power | 18 W | 34 W |";
    expect((await ask("What is the power of the P-40?", text)).answer).toBe("Power · P-20: 18 W · P-40: 34 W");
  });
});

describe("announced structures", () => {
  const FERRY =
    "The island ferry runs all year, and in every weather but fog.\n\nThe ferry calls at:\n\n- Brodick\n- Lochranza\n- Tarbert\n\nDogs are welcome.";
  it("a list is quoted with the line that announces it", async () => {
    const { answer, marked } = await ask("Where does the ferry call?", FERRY);
    expect(answer).toContain("The ferry calls at:\n\n- Brodick\n- Lochranza\n- Tarbert");
    expect(marked[0]).toEqual(["The ferry calls at:\n\n- Brodick\n- Lochranza\n- Tarbert"]);
  });
  it("an item is quoted with the line above the list", async () => {
    const { answer, marked } = await ask("Does the ferry call at Lochranza?", FERRY);
    expect(answer).toMatch(/^The ferry calls at:\n\n- Brodick\n- Lochranza/);
    expect(marked[0]).toEqual(["- Lochranza"]);
  });
  it("a list without marks is quoted with the line that announces it", async () => {
    const { quotes } = await ask(
      "What do you bring?",
      `${"Rooms are cleaned on Fridays by the two porters of the house. ".repeat(6)}\n\nBring these things:\nboots\na torch\na rain coat`,
    );
    expect(quotes[0]).toContain("Bring these things:\nboots\na torch\na rain coat");
  });
  it("the definition of a term is quoted with the term", async () => {
    const { answer } = await ask(
      "What is the closing time?",
      "Opening time\n\nThe dome opens at 19:30.\n\nClosing time\n\n23:00 sharp\n\nAltitude\n\n1,204 metres above the sea",
    );
    expect(answer).toMatch(/^Closing time\n\n23:00 sharp/);
  });
  it("code is quoted whole, with the line that announces it", async () => {
    const code = [
      "```",
      "systemctl stop tessera",
      "# the newest one",
      "tessera restore /backups/latest.tar",
      "",
      "systemctl start tessera",
      "```",
    ].join("\n");
    const { quotes } = await ask(
      "How do I restore a backup?",
      `${"Backups are made every night and kept for a month. ".repeat(7)}\n\nTo restore a backup run:\n\n${code}\n\nThat is all.`,
    );
    expect(quotes[0]).toBe(`To restore a backup run:\n\n${code}`);
  });
});

describe("questions for two facts", () => {
  const OBSERVATORY = [
    "The observatory stands on Hill Road and is run by volunteers of the town.",
    "Equipment:",
    "- Telescope: Newtonian reflector by Orion\n- Main mirror: 40 cm\n- Mount: equatorial fork\n- Camera: cooled CCD\n- Dome: 6 m",
  ].join("\n\n");
  it("a question for two facts is answered by two items of a list, which are marked", async () => {
    const { answer, marked } = await ask("Which telescope is used and how large is its mirror?", OBSERVATORY);
    expect(marked[0]).toEqual(["- Telescope: Newtonian reflector by Orion", "- Main mirror: 40 cm"]);
    expect(answer).toMatch(/^Equipment:\n\n- Telescope/);
  });
  it("a question for two facts is answered by two rows of a table", async () => {
    const text = "| Part | Size |\n| --- | --- |\n| Telescope | 2.1 m |\n| Mirror | 40 cm |\n| Mount | 300 kg |\n| Camera | 4 MP |";
    const { answer, marked } = await ask("What is the size of the mirror and of the camera?", text);
    expect(marked[0]).toEqual(["| Mirror | 40 cm |", "| Camera | 4 MP |"]);
    expect(answer).toBe("Part: Mirror · Size: 40 cm\nPart: Camera · Size: 4 MP");
  });
  it("a question for two facts is answered by two sentences", async () => {
    const text = "The master is Olav Brekke. The mate is Siri Lund. The engineer is Per Dahl. The ferry was built in 1988.";
    const { answer, marked } = await ask("Who is the master and who is the engineer?", text);
    expect(marked[0]).toEqual(["The master is Olav Brekke.", "The engineer is Per Dahl."]);
    expect(answer).toMatch(/^The master is Olav Brekke\./);
  });
  it("a question for two facts is answered by two definitions", async () => {
    const text = "Opening time\n\n7:00 on weekdays\n\nClosing time\n\n21:30\n\nEntrance fee\n\n4.50 euros\n\nTemperature\n\n27 degrees";
    const { marked } = await ask("What is the closing time and the entrance fee?", text);
    expect(marked[0]).toEqual(["Closing time\n\n21:30", "Entrance fee\n\n4.50 euros"]);
  });
  it("a question for two facts is answered by the item of a long list that has both, without the others", async () => {
    const tour = [
      "1. At the door. Let the eyes adapt. Ask everybody to put telephones away, and count the group: twelve people at most in the dome.",
      "2. The slit. Open it by hand, ninety turns of the crank. Explain that the motor was taken out in 1988.",
      "3. The telescope. It is a reflector with a main mirror of 42 centimetres, ground in the workshop downstairs between 1971 and 1974.",
      "4. The mount. It turns once in 24 hours, driven by a falling weight of 80 kilograms and a clockwork from a church tower.",
      "5. The view. Start with the brightest object of the month, and finish with a question: what did you see first?",
    ];
    const { answer, marked } = await ask("Which telescope is used and how large is its mirror?", tour.join("\n\n"));
    expect(answer).toBe(tour[2]);
    expect(marked[0]).toEqual([tour[2]?.slice("3. The telescope. ".length)]);
  });
  it("a question for two facts marks one item if it answers alone", async () => {
    const { marked } = await ask("What is the mount?", OBSERVATORY);
    expect(marked[0]).toEqual(["- Mount: equatorial fork"]);
  });
});

it("the blocks of a text are in order, inside the text, and have their items inside them", () => {
  const text = createHistory(5);
  const blocks = findBlocks(text, { start: 0, end: text.length });
  expect(blocks.map(({ kind }) => kind)).toEqual(["table"]);
  for (const { start, end, head, items } of blocks) {
    expect(head.start).toBe(start);
    for (const item of items) expect(item.start >= head.end && item.end <= end).toBe(true);
  }
});
it("the blocks of a text are found in hostile texts in linear time", () => {
  const texts = [
    ...Object.values(HOSTILE),
    "|".repeat(200_000),
    "| a |\n".repeat(100_000),
    "- a\n\n".repeat(100_000),
    "a:\n".repeat(200_000),
    "```\n".repeat(100_000),
  ];
  for (const text of texts)
    for (const block of findBlocks(text, { start: 50_000, end: 51_000 })) expect(block.end).toBeLessThanOrEqual(text.length);
});
