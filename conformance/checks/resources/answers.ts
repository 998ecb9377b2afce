import { defineRequirements } from "../../requirement.ts";
import type { JsonObject } from "../../expect.ts";
import {
  assertMatch,
  assertError,
  toObject,
  toNumber,
  toText,
  assertEqual,
  assertFields,
  assert,
  assertStatus,
  getObject,
} from "../../expect.ts";
import type { Request } from "../../http.ts";
import type { Probe } from "../../probe.ts";

async function ask(t: Probe, boardId: string, question: string, request: Request = {}): Promise<JsonObject> {
  const reply = await t.call("POST", `/api/board/${boardId}/ask`, { body: { question }, ...request });
  assertStatus(reply, 200);
  return toObject(reply.json, "the answer");
}

const getCitations = (answer: JsonObject): readonly JsonObject[] => {
  const list = answer["citations"];
  assert(Array.isArray(list), "expected citations to be a list");
  return list.map((item) => toObject(item, "a citation"));
};

export const answerAdditions = defineRequirements("Ask", {
  "D-100": {
    statement: "An answer has answer, contextTokens, answered, mode (`model` or `extractive`) and citations.",
    check: async function answerHasItsFields(t) {
      const answer = await ask(t, t.board.id, "What is this?");
      assertFields(
        answer,
        { answer: "string", contextTokens: "integer", answered: "boolean", mode: "string", citations: "list" },
        "the answer",
      );
      assert(["model", "extractive"].includes(String(answer["mode"])), `unknown mode ${String(answer["mode"])}`);
    },
  },
  "D-101": {
    statement: "If answered is true there are 1 to 10 citations, and each quote is the text of its tile from start to end (UTF-16).",
    check: async function quotesAreVerbatim(t) {
      const { id: boardId } = await t.freshBoard();
      const text = "🦊 Intro 👩‍👩‍👧.\r\n\r\nThe observatory on Mount Hallin opened in 1931. Its dome weighs 42 tons.\r\n\r\nCats sleep a lot.";
      const { id } = await t.tile({ title: "Observatory", content: text }, boardId);
      const answer = await ask(t, boardId, "In what year did the observatory on Mount Hallin open?");
      assertEqual(answer["answered"], true, "answered");
      assert(toText(answer["answer"], "answer").includes("1931"), `expected the answer to contain 1931, got ${String(answer["answer"])}`);
      const citations = getCitations(answer);
      assert(citations.length >= 1 && citations.length <= 10, `expected 1 to 10 citations, got ${citations.length}`);
      for (const citation of citations) {
        assertFields(
          citation,
          { tileId: "string", title: "string", type: "string", sourceUrl: "string?", quote: "string", start: "integer", end: "integer" },
          "a citation",
        );
        const { tileId, title, type, sourceUrl } = citation;
        assertEqual({ tileId, title, type, sourceUrl }, { tileId: id, title: "Observatory", type: "TEXT", sourceUrl: null }, "a citation");
        assertEqual(
          text.slice(toNumber(citation["start"], "start"), toNumber(citation["end"], "end")),
          citation["quote"],
          "the text from start to end, and the quote",
        );
      }
      assert(
        citations.some((citation) => String(citation["quote"]).includes("1931")),
        "no citation contains the answer",
      );
      for (let n = 0; n < 12; n++) await t.tile({ content: `The ferry number ${n} leaves the harbour at dawn.` }, boardId);
      const cited = getCitations(await ask(t, boardId, "When does the ferry leave the harbour?")).length;
      assert(cited >= 1 && cited <= 10, `expected 1 to 10 citations, got ${cited}`);
    },
  },
  "D-102": {
    statement: "Without connected content, the response is 200 with an answer that says so, contextTokens 0 and answered false.",
    check: async function emptyBoardIsNotAnswered(t) {
      const { id: boardId } = await t.freshBoard();
      const zone = await t.zone({ connected_to_chat: false }, boardId);
      for (const round of ["an empty board", "a board with only a disconnected zone"]) {
        const answer = await ask(t, boardId, "What is written here?");
        assertMatch(answer, { contextTokens: 0, answered: false, citations: [] }, round);
        assert(toText(answer["answer"], "answer").trim() !== "", `${round}: the answer is empty`);
        await t.tile({ zone_id: zone.id, content: "What is written here is a secret." }, boardId);
      }
    },
  },
  "D-103": {
    statement: "If the content does not contain the answer, answered is false.",
    check: async function missingAnswerIsReported(t) {
      const { id: boardId } = await t.freshBoard();
      await t.tile({ content: "Sourdough rises overnight in a cool kitchen." }, boardId);
      for (const question of ["What is the atomic mass of ruthenium?", "!!! ??? ---", "😀", '" OR 1=1 --', "NEAR(a b) col:* ^x"])
        assertEqual((await ask(t, boardId, question))["answered"], false, `answered of ${question}`);
    },
  },
  "D-104": {
    section: "Resources; Ask",
    statement: "Tiles without a zone are used in answers; tiles of a disconnected zone are never read, cited or counted.",
    check: async function onlyConnectedContentIsUsed(t) {
      const { id: boardId } = await t.freshBoard();
      const hidden = await t.zone({ connected_to_chat: false }, boardId);
      const [subject, open, secret] = [t.nonce(), t.nonce(), t.nonce()];
      const question = `Which word belongs to ${subject}?`;
      await t.tile({ content: `The word that belongs to ${subject} is ${open}.` }, boardId);
      const before = await ask(t, boardId, question);
      const tile = await t.tile({ zone_id: hidden.id, content: `The word that belongs to ${subject} is ${secret}.` }, boardId);
      const after = await ask(t, boardId, question, { query: { explain: "true" } });
      assert(toText(after["answer"], "answer").includes(open), `expected the answer to contain ${open}, got ${String(after["answer"])}`);
      assert(
        !JSON.stringify(after).includes(secret) && !JSON.stringify(after).includes(tile.id),
        "the response contains the disconnected tile",
      );
      assertEqual(after["contextTokens"], before["contextTokens"], "contextTokens before and after the disconnected tile");
    },
  },
  "D-105": {
    statement: "The next answer does not use tiles that were deleted or moved to a disconnected zone, nor text that was replaced.",
    check: async function changesApplyToNextAnswer(t) {
      const { id: boardId } = await t.freshBoard();
      const [subject, old, fresh] = [t.nonce(), t.nonce(), t.nonce()];
      const { id } = await t.tile({ content: `The colour of ${subject} is ${old}.` }, boardId);
      const answerText = async (): Promise<string> => JSON.stringify(await ask(t, boardId, `What is the colour of ${subject}?`));
      assert((await answerText()).includes(old), "the answer does not use a new tile");
      await t.call("PATCH", `/api/board/tiles/${id}`, { body: { content: `The colour of ${subject} is ${fresh}.` } });
      const changed = await answerText();
      assert(changed.includes(fresh) && !changed.includes(old), "the answer does not use the replaced content");
      const hidden = await t.zone({ connected_to_chat: false }, boardId);
      await t.call("PATCH", `/api/board/tiles/${id}`, { body: { zone_id: hidden.id } });
      assert(!(await answerText()).includes(fresh), "the answer uses a tile that was moved to a disconnected zone");
      await t.call("PATCH", `/api/board/tiles/${id}`, { body: { zone_id: null } });
      assert((await answerText()).includes(fresh), "the answer does not use a tile that was removed from its zone");
      await t.call("DELETE", `/api/board/tiles/${id}`);
      assert(!(await answerText()).includes(fresh), "the answer uses a deleted tile");
    },
  },
  "D-106": {
    statement: "`Accept: text/event-stream` streams token events, then done with the complete response.",
    check: async function answersAreStreamed(t) {
      const accept = "text/event-stream";
      const query = { q: "What is this?" };
      for (const request of [{ body: {} }, { body: { question: "x" }, key: "x" }])
        assertError(
          await t.call("POST", `/api/board/${t.board.id}/ask`, { ...request, headers: { accept } }),
          "key" in request ? 401 : 400,
        );
      const reply = await t.call("GET", `/api/board/${t.board.id}/ask`, {
        query,
        headers: { accept },
      });
      assertStatus(reply, 200);
      assert(
        /^text\/event-stream\b/.test(reply.headers["content-type"] ?? ""),
        `expected text/event-stream, got ${reply.headers["content-type"]}`,
      );
      const events = reply.text.split(/\r?\n\r?\n/).filter((event) => /^event:/m.test(event));
      const last = events.at(-1) ?? "";
      assert(/^event: ?done$/m.test(last), `expected done as the last event, got ${last.slice(0, 100)}`);
      const parseData = (event: string): JsonObject =>
        toObject(JSON.parse([...event.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]).join("\n")), "the data of an event");
      const done = parseData(last);
      assertFields(done, { answer: "string", contextTokens: "integer", answered: "boolean", citations: "list" }, "done");
      const tokens = events.slice(0, -1).map((event) => toText(parseData(event)["text"], "text"));
      // A language model may phrase an answer differently each time. Extractive answers are always the same.
      if (done["mode"] === "extractive") {
        assertEqual(tokens.join(""), done["answer"], "the tokens together");
        assertEqual(done, await ask(t, t.board.id, query.q), "done, and the plain response");
        const posted = await t.call("POST", `/api/board/${t.board.id}/ask`, { body: { question: query.q }, headers: { accept } });
        assertEqual(posted.text, reply.text, "the stream of the POST form, and of the GET form");
      }
      assert(
        events.slice(0, -1).every((event) => /^event: ?token$/m.test(event)),
        "an event before done is not a token",
      );
    },
  },
  "D-107": {
    statement: "`explain=true` adds explain with budgetTokens and candidates, in both forms.",
    check: async function explainReturnsCandidates(t) {
      await t.tile({ content: "Explained content about glaciers." });
      for (const method of ["GET", "POST"]) {
        const query = { explain: "true", ...(method === "GET" && { q: "glaciers?" }) };
        const reply = await t.call(method, `/api/board/${t.board.id}/ask`, {
          query,
          ...(method === "POST" && { body: { question: "glaciers?" } }),
        });
        const explain = getObject(reply, "explain");
        assertFields(explain, { budgetTokens: "integer", candidates: "list" }, "explain");
        const [candidate] = explain["candidates"] as readonly unknown[];
        const shape = { tileId: "string", start: "integer", end: "integer", score: "number", parts: "object", used: "boolean" } as const;
        const fields = toObject(candidate, "the first candidate");
        assertFields(fields, { ...shape, reason: "string" }, "the first candidate");
        assertFields(toObject(fields["parts"], "parts"), { lexical: "number", rerank: "number" }, "parts");
      }
      assert("explain" in (await ask(t, t.board.id, "glaciers?", { body: { question: "glaciers?", explain: true } })), "no explain");
      for (const explain of [undefined, false]) {
        const answer = await ask(t, t.board.id, "glaciers?", { body: { question: "glaciers?", explain } });
        assert(!("explain" in answer), `there is explain with explain ${explain}`);
      }
    },
  },
  "D-109": {
    statement: "contextTokens is at most ASK_CONTEXT_TOKENS (32,000).",
    check: async function contextIsLimited(t) {
      const { id: boardId } = await t.freshBoard();
      await t.tile({ content: "Every tide table lists the tide at noon. ".repeat(20_000) }, boardId);
      assert(
        toNumber((await ask(t, boardId, "What does the tide table list?"))["contextTokens"], "contextTokens") <= 32_000,
        "contextTokens is over 32,000",
      );
    },
  },
  "D-110": {
    statement: "Content of tiles is data, never an instruction to the model.",
    unchecked: "one answer does not show which instructions a model follows",
  },
});
