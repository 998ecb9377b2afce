import type { Answer } from "@tessera-board/sdk";
import { MarkdownText } from "../../text/prose/markdown-text.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { formatAnswer, formatSavedAnswer } from "../parts/answer-markdown.ts";
import { AnswerText } from "./answer-text.tsx";
import type { OpenTile } from "../../text/quote.ts";
import { CitationList } from "../parts/citation-list.tsx";
import { SaveAsTile } from "../parts/save-as-tile.tsx";
import { SourcesRead } from "./sources-read.tsx";
import { formatCount } from "../../text/plural.ts";

export type AnswerViewProps = {
  readonly question: string;
  readonly answer: Answer;
  readonly boardId: string;
  readonly onOpenTile: OpenTile;
};

/** A complete answer: text, quotes, the tiles that were read, and actions. */
export function AnswerView({ question, answer, boardId, onOpenTile }: AnswerViewProps) {
  const { answered, citations, contextTokens, mode, notice } = answer;
  return (
    <div className="flex flex-col gap-3">
      {answered && mode === "model" && <AnswerText text={answer.answer} citations={citations} onOpenTile={onOpenTile} />}
      {answered && mode !== "model" && (
        // Markdown of tiles; a number in brackets is text, not a citation.
        <div className="prose-small">
          <MarkdownText text={answer.answer} />
        </div>
      )}
      {!answered && (
        <div className="flex flex-col gap-1">
          <p className="font-semibold">No answer found on this board.</p>
          <p className="text-sm text-quiet">
            {citations.length > 0 ? "The quotes below are the closest matches; they do not answer the question." : answer.answer}
          </p>
        </div>
      )}
      {notice !== undefined && <Notice>{notice}</Notice>}
      <CitationList citations={citations} onOpenTile={onOpenTile} label={answered ? "Quotes" : "Closest matches"} />
      <SourcesRead answer={answer} boardId={boardId} onOpenTile={onOpenTile} />
      {/* A declined question was answered without reading anything. */}
      {(answered || contextTokens > 0) && (
        <p className="text-xs text-quiet">
          {mode === "model" ? "Written by the language model" : "Extracted from the board without a language model"} ·{" "}
          {formatCount(contextTokens, "token")} read
        </p>
      )}
      {answered && (
        <div className="flex flex-wrap gap-2">
          <CopyButton text={formatAnswer(question, answer)} />
          <SaveAsTile
            boardId={boardId}
            title={question}
            content={formatSavedAnswer(question, answer)}
            origin="answer"
            onOpenTile={onOpenTile}
          />
        </div>
      )}
    </div>
  );
}
