import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { useDraftText } from "../../api/drafts/use-draft-state.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { OpenTile } from "../../text/quote.ts";
import { AskIntro } from "./ask-intro.tsx";
import { QuestionBox } from "./question-box.tsx";
import { TurnView } from "./turn-view.tsx";
import { type Turn, useConversation } from "./use-conversation.ts";
import { formatCount } from "../../text/plural.ts";

/** Distance from the end of the list within which new text is followed, in pixels. */
const FOLLOW_DISTANCE_PX = 120;

/** Renders suggested questions; `asked` are those of this visit. */
export type RenderSuggestions = (slot: { readonly asked: readonly string[]; readonly onAsk: (question: string) => void }) => ReactNode;

type AskViewProps = {
  readonly boardId: string;
  readonly onOpenTile: OpenTile;
  readonly renderSuggestions: RenderSuggestions | undefined;
};

/** The questions of this visit with their answers, and the field for the next one. */
export function AskView({ boardId, onOpenTile, renderSuggestions }: AskViewProps) {
  const { turns, isAsking, ask, askAgain, stop, clear } = useConversation(boardId);
  const [question, setQuestion] = useDraftText(`question/${boardId}`);
  const list = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLFormElement>(null);
  const last = turns.at(-1);

  useFollowAnswer(list, last);

  function edit(turn: Turn): void {
    setQuestion(turn.question);
    box.current?.querySelector("textarea")?.focus();
  }

  function askSuggested(suggestion: string): void {
    ask(suggestion);
    // The button disappears. The question box would open the keyboard of a phone.
    list.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <div
        ref={list}
        className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto px-4 py-4"
        tabIndex={turns.length === 0 ? -1 : 0}
        role="region"
        aria-label="Questions and answers"
      >
        {turns.length === 0 && <AskIntro boardId={boardId} />}
        {turns.map((turn) => (
          <TurnView
            key={turn.id}
            turn={turn}
            boardId={boardId}
            onOpenTile={onOpenTile}
            onAgain={() => askAgain(turn)}
            onEdit={() => edit(turn)}
            canAsk={!isAsking}
          />
        ))}
        {!isAsking && renderSuggestions?.({ asked: turns.map(({ question: asked }) => asked), onAsk: askSuggested })}
        {turns.length > 0 && !isAsking && (
          <Button size="sm" variant="quiet" className="self-center text-quiet" onClick={clear}>
            Clear questions
          </Button>
        )}
      </div>
      <p role="status" className="sr-only">
        {last === undefined ? "" : describeStatus(last)}
      </p>
      <QuestionBox
        value={question}
        box={box}
        isAsking={isAsking}
        onChange={setQuestion}
        onStop={stop}
        onAsk={(submitted) => {
          setQuestion("");
          ask(submitted);
        }}
      />
    </>
  );
}

/** Scrolls a new question to the top, and again when its answer is complete. Follows the text in between unless the user scrolled away. */
function useFollowAnswer(list: RefObject<HTMLElement | null>, last: Turn | undefined): void {
  useLayoutEffect(() => {
    [...(list.current?.querySelectorAll("article") ?? [])].at(-1)?.scrollIntoView({ block: "start" });
  }, [list, last?.id, last?.state]);
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null || last?.state !== "asking") return;
    const isAtEnd = current.scrollHeight - current.scrollTop - current.clientHeight < FOLLOW_DISTANCE_PX;
    if (isAtEnd) current.scrollTop = current.scrollHeight;
  }, [list, last?.state, last?.text]);
}

function describeStatus({ state, answer }: Turn): string {
  if (state === "asking") return "The answer is being written.";
  if (state === "stopped") return "You stopped the answer.";
  if (state === "failed" || answer === null) return "";
  return answer.answered
    ? `The answer is complete, with ${formatCount(answer.citations.length, "quote")}.`
    : "No answer found on this board.";
}
