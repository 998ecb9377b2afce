import { type RefObject, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { SendIcon, StopIcon } from "../../ui/icons/icons.ts";
import { TextArea } from "../../ui/controls/text-field.tsx";
import { usePublishedHeight } from "../../ui/hooks/use-published-height.ts";

export type QuestionBoxProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
  readonly isAsking: boolean;
  readonly box: RefObject<HTMLFormElement | null>;
};

/** The field for a question: Enter sends it, Shift+Enter inserts a line break. */
export function QuestionBox({ value, onChange, onAsk, onStop, isAsking, box }: QuestionBoxProps) {
  const [problem, setProblem] = useState<string | null>(null);
  usePublishedHeight(box, "--question-box-height");
  function send(): void {
    if (isAsking) return;
    if (value.trim() === "") return setProblem("Enter a question.");
    setProblem(null);
    onAsk(value.trim());
  }
  return (
    <form
      ref={box}
      className="flex flex-col gap-2 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        label="Your question"
        hideLabel
        rows={2}
        value={value}
        error={problem}
        placeholder="Ask a question about this board"
        inputClassName="max-h-40 resize-none! field-sizing-content min-h-14"
        onChange={(event) => {
          setProblem(null);
          onChange(event.target.value);
        }}
        onKeyDown={(event) => {
          // While an input method composes text, Enter only confirms it.
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="flex items-center justify-between gap-2">
        <p className="text-xs text-quiet max-sm:invisible">Enter to send, Shift+Enter for a new line</p>
        {isAsking ? (
          <Button size="sm" onClick={onStop}>
            <StopIcon /> Stop
          </Button>
        ) : (
          <Button size="sm" variant="primary" type="submit">
            <SendIcon /> Ask
          </Button>
        )}
      </div>
    </form>
  );
}
