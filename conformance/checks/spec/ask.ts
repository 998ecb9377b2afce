import { type Check, defineRequirements } from "../../requirement.ts";
import { toObject, assertEqual, assertFields, assert, assertError, assertStatus } from "../../expect.ts";
import type { Reply } from "../../http.ts";
import type { Probe } from "../../probe.ts";
import { ANSWER } from "./shapes.ts";

const ask = (t: Probe, question: string): Promise<Reply> => t.call("POST", `/api/board/${t.board.id}/ask`, { body: { question } });

const answersQuestion: Check = async (t) => {
  await t.tile({ content: "The harbour master of Port Ellery is Ines Calloway." });
  const reply = await ask(t, "Who is the harbour master of Port Ellery?");
  assertStatus(reply, 200);
  assertFields(toObject(reply.json, "the body"), ANSWER, "the answer");
};

const getAndPostMatch: Check = async (t) => {
  const { id } = await t.tile({ content: "The ferry to Skellin leaves at a quarter past six from pier nine." });
  const question = "When does the ferry to Skellin leave & from which pier?";
  const post = await ask(t, question);
  const get = await t.call("GET", `/api/board/${t.board.id}/ask`, { query: { q: question } });
  await t.call("DELETE", `/api/board/tiles/${id}`);
  assertStatus(post, 200);
  assertStatus(get, 200);
  const [one, two] = [toObject(post.json, "POST"), toObject(get.json, "GET")];
  assertEqual(Object.keys(two).toSorted(), Object.keys(one).toSorted(), "fields of the GET form and of the POST form");
  assertEqual(two["contextTokens"], one["contextTokens"], "contextTokens of both forms");
  // A language model may phrase an answer differently each time. Extractive answers are always the same.
  if (one["mode"] === "extractive" && two["mode"] === "extractive") assertEqual(two, one, "the response of the GET form");
};

const questionIsRequired: Check = async (t) => {
  assertError(await t.call("POST", `/api/board/${t.board.id}/ask`, { body: {} }), 400, /\bquestion\b/);
  assertError(await t.call("GET", `/api/board/${t.board.id}/ask`), 400, /\bquestion\b/);
};

const connectedZonesAreUsed: Check = async (t) => {
  const { id: zoneId } = await t.zone({ name: "Chat" });
  const [subject, secret] = [t.nonce(), t.nonce()];
  await t.tile({ zone_id: zoneId, title: "Code words", content: `The code word of project ${subject} is ${secret}.` });
  const question = `What is the code word of project ${subject}?`;
  const connect = (wanted: boolean): Promise<Reply> =>
    t.call("PATCH", `/api/board/zones/${zoneId}`, { body: { connected_to_chat: wanted } });

  await connect(false);
  const without = await ask(t, question);
  assertStatus(without, 200);
  assert(!without.text.includes(secret), "the answer contains text of a disconnected zone");
  await connect(true);
  const tried = await ask(t, question);
  assertStatus(tried, 200);
  assert(tried.text.includes(secret), `the answer does not contain the text of a connected zone: ${tried.text.slice(0, 300)}`);
  await connect(false);
  assert(!(await ask(t, question)).text.includes(secret), "the answer contains text of a zone that was disconnected again");
};

export const askRequirements = defineRequirements("Endpoints › Ask a board", {
  "S-041": {
    statement: "`POST /api/board/{boardId}/ask` with question returns `{ answer: string, contextTokens: integer }`.",
    check: answersQuestion,
  },
  "S-042": {
    statement: "`GET …/ask?q=` behaves identically to the POST form.",
    check: getAndPostMatch,
  },
  "S-043": {
    statement: "The answer is grounded in the board's connected content.",
    check: connectedZonesAreUsed,
  },
  "S-044": {
    section: "What the service does; Resources › Zone",
    statement: "connected_to_chat of a zone determines whether its content is used in answers.",
    check: connectedZonesAreUsed,
  },
  "S-045": {
    statement: "A missing question returns 400, in both forms.",
    check: questionIsRequired,
  },
  "S-046": {
    section: "Errors",
    statement: "A call to ask without question returns 400 with a message that names `question`.",
    check: questionIsRequired,
  },
  "S-047": {
    statement: "Each question is independent of earlier questions.",
    unchecked: "stored state is not visible over HTTP",
  },
});
