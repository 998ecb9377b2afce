import type { ActionContext } from "./action.ts";
import { getText, readFields } from "./fields.ts";

/** Asks the board, and returns the answer with its citations. */
export async function ask(context: ActionContext): Promise<unknown> {
  const fields = readFields(context, () => "question");
  return context.client.ask(fields.boardId, getText(fields, "question"), { signal: context.signal, explain: fields.explain === true });
}
