import type { Requirement } from "../../requirement.ts";
import type { Fields } from "../../expect.ts";
import { asFields, asNumber, asText, equal, hasFields, holds, idsOf, isRefused, isStatus, listIn, objectIn } from "../../expect.ts";
import type { Request } from "../../http.ts";
import type { Probe } from "../../probe.ts";

const section = "Ask";

async function ask(t: Probe, boardId: string, question: string, request: Request = {}): Promise<Fields> {
  const reply = await t.call("POST", `/api/board/${boardId}/ask`, { body: { question }, ...request });
  isStatus(reply, 200);
  return asFields(reply.json, "the answer");
}

const citationsOf = (answer: Fields): readonly Fields[] => {
  const list = answer["citations"];
  holds(Array.isArray(list), "expected citations to be a list");
  return list.map((item) => asFields(item, "a citation"));
};

export const answerAdditions: readonly Requirement[] = [
  {
    id: "D-100",
    section,
    statement: "An answer has answer, contextTokens, answered, mode (`model` or `extractive`) and citations.",
    check: async function answerHasItsFields(t) {
      const answer = await ask(t, t.board.id, "What is this?");
      hasFields(
        answer,
        { answer: "string", contextTokens: "integer", answered: "boolean", mode: "string", citations: "list" },
        "the answer",
      );
      holds(["model", "extractive"].includes(String(answer["mode"])), `unknown mode ${String(answer["mode"])}`);
    },
  },
  {
    id: "D-101",
    section,
    statement: "When answered there are 1 to 10 citations, and each quote stands verbatim in its tile at start–end (UTF-16).",
    check: async function quotesStandVerbatim(t) {
      const { id: boardId } = await t.freshBoard();
      const text = "🦊 Intro 👩‍👩‍👧.\r\n\r\nThe observatory on Mount Hallin opened in 1931. Its dome weighs 42 tons.\r\n\r\nCats sleep a lot.";
      const { id } = await t.tile({ title: "Observatory", content: text }, boardId);
      const answer = await ask(t, boardId, "In what year did the observatory on Mount Hallin open?");
      equal(answer["answered"], true, "answered");
      holds(asText(answer["answer"], "answer").includes("1931"), `expected the answer to tell 1931, got ${String(answer["answer"])}`);
      const citations = citationsOf(answer);
      holds(citations.length >= 1 && citations.length <= 10, `expected 1 to 10 citations, got ${citations.length}`);
      for (const citation of citations) {
        hasFields(
          citation,
          { tileId: "string", title: "string", type: "string", sourceUrl: "string?", quote: "string", start: "integer", end: "integer" },
          "a citation",
        );
        equal(citation["tileId"], id, "tileId");
        equal(
          text.slice(asNumber(citation["start"], "start"), asNumber(citation["end"], "end")),
          citation["quote"],
          "the text at start–end, and the quote",
        );
      }
      holds(
        citations.some((citation) => String(citation["quote"]).includes("1931")),
        "no citation quotes what answers the question",
      );
    },
  },
  {
    id: "D-102",
    section,
    statement: "With nothing connected: 200, an answer that says so, contextTokens 0, answered false.",
    check: async function emptyBoardSaysSo(t) {
      const { id: boardId } = await t.freshBoard();
      const zone = await t.zone({ connected_to_chat: false }, boardId);
      for (const round of ["an empty board", "a board with only a disconnected zone"]) {
        const answer = await ask(t, boardId, "What is written here?");
        equal(
          [answer["contextTokens"], answer["answered"], answer["citations"]],
          [0, false, []],
          `contextTokens, answered, citations of ${round}`,
        );
        holds(asText(answer["answer"], "answer").trim() !== "", `${round}: the answer is empty`);
        await t.tile({ zone_id: zone.id, content: "What is written here is a secret." }, boardId);
      }
    },
  },
  {
    id: "D-103",
    section,
    statement: "When the content does not hold the answer, it says so: answered false.",
    check: async function doesNotGuess(t) {
      const { id: boardId } = await t.freshBoard();
      await t.tile({ content: "Sourdough rises overnight in a cool kitchen." }, boardId);
      equal((await ask(t, boardId, "What is the atomic mass of ruthenium?"))["answered"], false, "answered");
    },
  },
  {
    id: "D-104",
    section: "Resources; Ask",
    statement: "A tile outside every zone feeds chat; a disconnected zone is never read, cited or counted.",
    check: async function onlyConnectedIsRead(t) {
      const { id: boardId } = await t.freshBoard();
      const hidden = await t.zone({ connected_to_chat: false }, boardId);
      const [subject, open, secret] = [t.nonce(), t.nonce(), t.nonce()];
      const question = `Which word belongs to ${subject}?`;
      await t.tile({ content: `The word that belongs to ${subject} is ${open}.` }, boardId);
      const before = await ask(t, boardId, question);
      const tile = await t.tile({ zone_id: hidden.id, content: `The word that belongs to ${subject} is ${secret}.` }, boardId);
      const after = await ask(t, boardId, question, { query: { explain: "true" } });
      holds(asText(after["answer"], "answer").includes(open), `expected the answer to tell ${open}, got ${String(after["answer"])}`);
      holds(
        !JSON.stringify(after).includes(secret) && !JSON.stringify(after).includes(tile.id),
        "the disconnected tile shows in the answer",
      );
      equal(after["contextTokens"], before["contextTokens"], "contextTokens before and after the disconnected tile");
    },
  },
  {
    id: "D-105",
    section,
    statement: "A tile moved into a disconnected zone, replaced or deleted is no longer answered from.",
    check: async function changesShowAtOnce(t) {
      const { id: boardId } = await t.freshBoard();
      const [subject, old, fresh] = [t.nonce(), t.nonce(), t.nonce()];
      const { id } = await t.tile({ content: `The colour of ${subject} is ${old}.` }, boardId);
      const answerText = async (): Promise<string> => JSON.stringify(await ask(t, boardId, `What is the colour of ${subject}?`));
      holds((await answerText()).includes(old), "a new tile is not answered from");
      await t.call("PATCH", `/api/board/tiles/${id}`, { body: { content: `The colour of ${subject} is ${fresh}.` } });
      const changed = await answerText();
      holds(changed.includes(fresh) && !changed.includes(old), "the answer is not from the replaced content");
      const hidden = await t.zone({ connected_to_chat: false }, boardId);
      await t.call("PATCH", `/api/board/tiles/${id}`, { body: { zone_id: hidden.id } });
      holds(!(await answerText()).includes(fresh), "a tile moved into a disconnected zone is still read");
      await t.call("PATCH", `/api/board/tiles/${id}`, { body: { zone_id: null } });
      holds((await answerText()).includes(fresh), "a tile taken out of its zone is not read");
      await t.call("DELETE", `/api/board/tiles/${id}`);
      holds(!(await answerText()).includes(fresh), "a deleted tile is still read");
    },
  },
  {
    id: "D-106",
    section,
    statement: "`Accept: text/event-stream` streams token events, then done with the whole body.",
    check: async function answersStream(t) {
      const reply = await t.call("GET", `/api/board/${t.board.id}/ask`, {
        query: { q: "What is this?" },
        headers: { accept: "text/event-stream" },
      });
      isStatus(reply, 200);
      holds(
        /^text\/event-stream\b/.test(reply.headers["content-type"] ?? ""),
        `expected text/event-stream, got ${reply.headers["content-type"]}`,
      );
      const events = reply.text.split(/\r?\n\r?\n/).filter((event) => /^event:/m.test(event));
      const last = events.at(-1) ?? "";
      holds(/^event: ?done$/m.test(last), `expected done as the last event, got ${last.slice(0, 100)}`);
      const data = [...last.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]).join("\n");
      hasFields(
        asFields(JSON.parse(data), "done"),
        { answer: "string", contextTokens: "integer", answered: "boolean", citations: "list" },
        "done",
      );
      holds(
        events.slice(0, -1).every((event) => /^event: ?token$/m.test(event)),
        "an event before done is not a token",
      );
    },
  },
  {
    id: "D-107",
    section,
    statement: "`explain=true` adds explain with budgetTokens and candidates, in both forms.",
    check: async function explains(t) {
      await t.tile({ content: "Explained content about glaciers." });
      for (const method of ["GET", "POST"]) {
        const query = { explain: "true", ...(method === "GET" && { q: "glaciers?" }) };
        const reply = await t.call(method, `/api/board/${t.board.id}/ask`, {
          query,
          ...(method === "POST" && { body: { question: "glaciers?" } }),
        });
        const explain = objectIn(reply, "explain");
        hasFields(explain, { budgetTokens: "integer", candidates: "list" }, "explain");
        const [candidate] = explain["candidates"] as readonly unknown[];
        const shape = { tileId: "string", start: "integer", end: "integer", score: "number", parts: "object", used: "boolean" } as const;
        hasFields(asFields(candidate, "the first candidate"), shape, "the first candidate");
      }
    },
  },
  {
    id: "D-108",
    section: "Resources › Additions",
    statement:
      "`GET …/search?q=` answers `{ results: [{ tileId, title, type, score, quote }] }`, one row a tile, best first, at most limit.",
    check: async function searches(t) {
      const { id: boardId } = await t.freshBoard();
      const word = t.nonce();
      const tiles = [];
      for (const times of [1, 3, 2])
        tiles.push(await t.tile({ content: `${`${word} `.repeat(times)} and other words.\n\nA second paragraph with ${word}.` }, boardId));
      const other = await t.tile({ content: "Nothing of the kind." }, boardId);
      const results = listIn(await t.call("GET", `/api/board/${boardId}/search`, { query: { q: word } }), "results");
      for (const row of results)
        hasFields(row, { tileId: "string", title: "string", type: "string", score: "number", quote: "string" }, "a result");
      const found = results.map((row) => String(row["tileId"]));
      equal(found.filter((id) => id !== other.id).toSorted(), [...idsOf(tiles)].toSorted(), "tiles that were found");
      const scores = results.map((row) => Number(row["score"]));
      equal(
        scores,
        scores.toSorted((a, b) => b - a),
        "scores, best first",
      );
      equal(
        listIn(await t.call("GET", `/api/board/${boardId}/search`, { query: { q: word, limit: 2 } }), "results").length,
        2,
        "results with limit=2",
      );
      isRefused(await t.call("GET", `/api/board/${boardId}/search`), 400, /^q /);
    },
  },
  {
    id: "D-109",
    section,
    statement: "contextTokens is at most ASK_CONTEXT_TOKENS (32,000).",
    check: async function contextIsBounded(t) {
      const { id: boardId } = await t.freshBoard();
      await t.tile({ content: "Every tide table lists the tide at noon. ".repeat(20_000) }, boardId);
      holds(
        asNumber((await ask(t, boardId, "What does the tide table list?"))["contextTokens"], "contextTokens") <= 32_000,
        "contextTokens is over 32,000",
      );
    },
  },
  {
    id: "D-110",
    section,
    statement: "Content of tiles is data, never an instruction to the model.",
    unchecked: "what a model heeds can't be read off one answer",
  },
];
