import { TesseraError, type Answer } from "@tessera-board/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { getErrorMessage, tessera } from "../../api/client/client.ts";

/** One question and its outcome. */
export type Turn = {
  readonly id: number;
  readonly question: string;
  readonly state: "asking" | "done" | "stopped" | "failed";
  /** The text streamed so far; replaced by `answer`. */
  readonly text: string;
  readonly answer: Answer | null;
  readonly problem: Problem | null;
};

/** Why there is no answer, and what to do. */
export type Problem = { readonly message: string; readonly advice: string | null };

const conversationKey = (boardId: string) => ["conversation", boardId] as const;

/**
 * The questions of this visit, kept until the page closes or the user logs out. One question is answered at a time; `stop` and unmounting
 * abort the request.
 */
export function useConversation(boardId: string) {
  const client = useQueryClient();
  const key = conversationKey(boardId);
  const { data: turns = [] } = useQuery({
    queryKey: key,
    queryFn: (): readonly Turn[] => [],
    enabled: false,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), [boardId]);

  const change = (id: number, next: Partial<Turn>): void => {
    client.setQueryData<readonly Turn[]>(key, (before) => before?.map((turn) => (turn.id === id ? { ...turn, ...next } : turn)));
  };

  async function answer(turn: Turn): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    let text = "";
    const onText = (delta: string): void => change(turn.id, { text: (text += delta) });
    try {
      const result = await tessera.ask(boardId, turn.question, { explain: true, signal: controller.signal, onText });
      change(turn.id, { state: "done", answer: result });
    } catch (error) {
      change(turn.id, controller.signal.aborted ? { state: "stopped" } : { state: "failed", problem: toProblem(error) });
    }
  }

  return {
    turns,
    isAsking: turns.some(({ state }) => state === "asking"),
    ask(question: string): void {
      const turn: Turn = { id: (turns.at(-1)?.id ?? 0) + 1, question, state: "asking", text: "", answer: null, problem: null };
      client.setQueryData<readonly Turn[]>(key, (before = []) => [...before, turn]);
      void answer(turn);
    },
    askAgain(turn: Turn): void {
      change(turn.id, { state: "asking", text: "", answer: null, problem: null });
      void answer(turn);
    },
    stop: (): void => running.current?.abort(),
    clear(): void {
      running.current?.abort();
      client.setQueryData<readonly Turn[]>(key, []);
    },
  };
}

/** The message and advice for a failed question or generation. */
export function toProblem(error: unknown): Problem {
  const status = error instanceof TesseraError ? error.status : 0;
  if (status === 402)
    return {
      message: getErrorMessage(error),
      advice: "An admin can raise the budget under Settings, API keys. Search still works.",
    };
  if (status === 429) return { message: getErrorMessage(error), advice: "Your question is kept." };
  if (status >= 500) return { message: getErrorMessage(error), advice: "Try again in a moment." };
  return { message: getErrorMessage(error), advice: null };
}
