import { useId } from "react";
import { useMember } from "../api/session.ts";
import { useTiles } from "../api/tiles/tiles.ts";
import { Button } from "../ui/controls/button.tsx";
import { ChatIcon } from "../ui/icons/icons.ts";
import { Spinner } from "../ui/icons/spinner.tsx";
import { SAMPLE_QUESTIONS } from "./content.ts";
import { readSampleRecord } from "./sample-memory.ts";
import { useSampleRun } from "./sample-run.ts";

export type SampleQuestionsProps = {
  readonly boardId: string;
  /** Questions of this visit, which are not suggested again. */
  readonly asked: readonly string[];
  readonly onAsk: (question: string) => void;
};

/** The suggested questions of the sample board, as soon as its tiles can answer them. Nothing if tiles are missing: the banner says so. */
export function SampleQuestions({ boardId, asked, onAsk }: SampleQuestionsProps) {
  const { data: tiles = [] } = useTiles(boardId);
  const headingId = useId();
  const questions = SAMPLE_QUESTIONS.filter((question) => !asked.includes(question));
  const isFilling = useSampleRun().status === "tiles";
  const isIncomplete = readSampleRecord(useMember().id)?.state === "started" && !isFilling;
  if (questions.length === 0 || tiles.length === 0 || isIncomplete) return null;
  const isReading = isFilling || tiles.some(({ status }) => status === "processing");
  return (
    <section aria-labelledby={headingId} className="mx-auto -mt-2 flex w-full max-w-sm flex-col gap-2">
      <h3 id={headingId} className="text-sm text-quiet">
        {asked.length === 0 ? "Try one of these" : "Ask next"}
      </h3>
      {questions.map((question) => (
        <Button
          key={question}
          disabled={isReading}
          className="h-auto! justify-start! py-2 text-start whitespace-normal!"
          onClick={() => onAsk(question)}
        >
          <ChatIcon className="text-accent" />
          {question}
        </Button>
      ))}
      {isReading && (
        <p className="flex items-center gap-2 text-sm text-quiet">
          <Spinner /> Reading the tiles…
        </p>
      )}
    </section>
  );
}
