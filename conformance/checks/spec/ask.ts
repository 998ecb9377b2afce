import type { Check, Requirement } from "../../requirement.ts";
import { asFields, equal, hasFields, holds, isRefused, isStatus } from "../../expect.ts";
import type { Reply } from "../../http.ts";
import type { Probe } from "../../probe.ts";
import { ANSWER } from "./shapes.ts";

const ask = (t: Probe, question: string): Promise<Reply> => t.call("POST", `/api/board/${t.board.id}/ask`, { body: { question } });

const asks: Check = async (t) => {
  await t.tile({ content: "The harbour master of Port Ellery is Ines Calloway." });
  const reply = await ask(t, "Who is the harbour master of Port Ellery?");
  isStatus(reply, 200);
  hasFields(asFields(reply.json, "the body"), ANSWER, "the answer");
};

const bothFormsAlike: Check = async (t) => {
  const { id } = await t.tile({ content: "The ferry to Skellin leaves at a quarter past six from pier nine." });
  const question = "When does the ferry to Skellin leave & from which pier?";
  const post = await ask(t, question);
  const get = await t.call("GET", `/api/board/${t.board.id}/ask`, { query: { q: question } });
  await t.call("DELETE", `/api/board/tiles/${id}`);
  isStatus(post, 200);
  isStatus(get, 200);
  const [one, two] = [asFields(post.json, "POST"), asFields(get.json, "GET")];
  equal(Object.keys(two).toSorted(), Object.keys(one).toSorted(), "fields of the GET form and of the POST form");
  equal(two["contextTokens"], one["contextTokens"], "contextTokens of both forms");
  // A language model words the same thing in several ways; what is extracted has only one.
  if (one["mode"] === "extractive" && two["mode"] === "extractive") equal(two, one, "the GET form's answer");
};

const questionIsNeeded: Check = async (t) => {
  isRefused(await t.call("POST", `/api/board/${t.board.id}/ask`, { body: {} }), 400, /\bquestion\b/);
  isRefused(await t.call("GET", `/api/board/${t.board.id}/ask`), 400, /\bquestion\b/);
};

const zoneFeedsChat: Check = async (t) => {
  const { id: zoneId } = await t.zone({ name: "Chat" });
  const [subject, secret] = [t.nonce(), t.nonce()];
  await t.tile({ zone_id: zoneId, title: "Code words", content: `The code word of project ${subject} is ${secret}.` });
  const question = `What is the code word of project ${subject}?`;
  const connect = (wanted: boolean): Promise<Reply> =>
    t.call("PATCH", `/api/board/zones/${zoneId}`, { body: { connected_to_chat: wanted } });

  await connect(false);
  const without = await ask(t, question);
  isStatus(without, 200);
  holds(!without.text.includes(secret), "the answer holds what stands only in a disconnected zone");
  await connect(true);
  const tried = await ask(t, question);
  isStatus(tried, 200);
  holds(tried.text.includes(secret), `the answer lacks what a connected zone says: ${tried.text.slice(0, 300)}`);
  await connect(false);
  holds(!(await ask(t, question)).text.includes(secret), "the answer holds what stands only in a zone that was disconnected again");
};

export const askRequirements: readonly Requirement[] = [
  {
    id: "S-041",
    section: "Endpoints › Ask a board",
    statement: "`POST /api/board/{boardId}/ask` with question answers `{ answer: string, contextTokens: integer }`.",
    check: asks,
  },
  {
    id: "S-042",
    section: "Endpoints › Ask a board",
    statement: "`GET …/ask?q=` behaves identically to the POST form.",
    check: bothFormsAlike,
  },
  {
    id: "S-043",
    section: "Endpoints › Ask a board",
    statement: "The answer is grounded in the board's connected content.",
    check: zoneFeedsChat,
  },
  {
    id: "S-044",
    section: "What the service does; Resources › Zone",
    statement: "A zone's connected_to_chat decides whether its content feeds chat context.",
    check: zoneFeedsChat,
  },
  { id: "S-045", section: "Endpoints › Ask a board", statement: "A missing question is 400, in both forms.", check: questionIsNeeded },
  {
    id: "S-046",
    section: "Errors",
    statement: "Ask without question: 400 that names the required field `question`.",
    check: questionIsNeeded,
  },
  {
    id: "S-047",
    section: "Endpoints › Ask a board",
    statement: "A question is one-off: nothing of an earlier one is needed or kept.",
    unchecked: "what a service keeps to itself can't be seen from outside",
  },
];
