import { Button } from "../../ui/controls/button.tsx";
import { EditIcon, RetryIcon } from "../../ui/icons/icons.ts";
import { Spinner } from "../../ui/icons/spinner.tsx";
import { AnswerText } from "./answer-text.tsx";
import { AnswerView } from "./answer-view.tsx";
import type { OpenTile } from "../../text/quote.ts";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import type { Turn } from "./use-conversation.ts";

export type TurnViewProps = {
  readonly turn: Turn;
  readonly boardId: string;
  readonly onOpenTile: OpenTile;
  readonly onAgain: () => void;
  /** Copies the question back into the field. */
  readonly onEdit: () => void;
  /** False while another question is being answered. */
  readonly canAsk: boolean;
};

/** A question with its answer, which may still be incomplete. */
export function TurnView({ turn, boardId, onOpenTile, onAgain, onEdit, canAsk }: TurnViewProps) {
  const { question, state, text, answer, problem } = turn;
  const again = (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={onAgain} disabled={!canAsk}>
        <RetryIcon /> Ask again
      </Button>
      <Button size="sm" variant="quiet" onClick={onEdit}>
        <EditIcon /> Edit the question
      </Button>
    </div>
  );
  return (
    <article className="flex scroll-mt-4 flex-col gap-3" aria-busy={state === "asking"}>
      <h3
        dir="auto"
        className="ml-auto max-w-[90%] rounded-lg rounded-br-sm bg-accent-soft px-3 py-2 text-base font-normal whitespace-pre-wrap wrap-anywhere"
      >
        {question}
      </h3>
      {state === "done" && answer !== null && <AnswerView question={question} answer={answer} boardId={boardId} onOpenTile={onOpenTile} />}
      {state !== "done" && text !== "" && <AnswerText text={withoutUnsupported(text)} citations={[]} onOpenTile={onOpenTile} />}
      {state === "asking" && (
        <p className="flex items-center gap-2 text-sm text-quiet">
          <Spinner /> {text === "" ? "Reading the board…" : "Writing…"}
        </p>
      )}
      {state === "stopped" && (
        <div className="flex flex-col gap-2">
          <p className="text-sm text-quiet">You stopped this answer.{text === "" ? "" : " It is incomplete."}</p>
          {again}
        </div>
      )}
      {state === "failed" && problem !== null && <ProblemNotice problem={problem}>{again}</ProblemNotice>}
    </article>
  );
}

/** Marks of unsupported sentences are hidden while an answer streams; the complete answer shows them. */
const withoutUnsupported = (text: string): string => text.replaceAll(/ ?\[unsupported\]/g, "");
