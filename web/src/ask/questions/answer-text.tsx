import type { Citation } from "@tessera-board/sdk";
import { Fragment, useMemo } from "react";
import { type AnswerBlock, parseAnswer, type AnswerLine, type AnswerPart } from "./answer-blocks.ts";
import type { OpenTile } from "../../text/quote.ts";
import { CitationButton } from "../parts/citation-button.tsx";

export type AnswerTextProps = {
  readonly text: string;
  /** Empty if numbers in brackets are plain text, or while the citations are not known yet. */
  readonly citations: readonly Citation[];
  readonly onOpenTile: OpenTile;
};

/** The text of an answer with citation buttons. */
export function AnswerText({ text, citations, onOpenTile }: AnswerTextProps) {
  const blocks = useMemo(() => parseAnswer(text, citations.length), [text, citations.length]);
  const renderLine = (line: AnswerLine) =>
    line.map((part, index) => <InlinePart key={index} part={part} citations={citations} onOpenTile={onOpenTile} />);
  return (
    <div className="flex flex-col gap-2.5 wrap-anywhere">
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} renderLine={renderLine} />
      ))}
    </div>
  );
}

function BlockView({ block, renderLine }: { readonly block: AnswerBlock; readonly renderLine: (line: AnswerLine) => React.ReactNode }) {
  if (block.kind === "heading")
    return (
      <h4 dir="auto" className="font-semibold">
        {renderLine(block.lines[0] ?? [])}
      </h4>
    );
  if (block.kind === "table") return <TableView rows={block.rows} renderLine={renderLine} />;
  if (block.kind === "paragraph") {
    return (
      <p dir="auto">
        {block.lines.map((line, index) => (
          <Fragment key={index}>
            {index > 0 && <br />}
            {renderLine(line)}
          </Fragment>
        ))}
      </p>
    );
  }
  const items = block.lines.map((line, index) => (
    <li key={index} dir="auto">
      {renderLine(line)}
    </li>
  ));
  return block.isOrdered ? (
    <ol start={block.first} className="flex list-decimal flex-col gap-1 ps-6">
      {items}
    </ol>
  ) : (
    <ul className="flex list-disc flex-col gap-1 ps-5">{items}</ul>
  );
}

type TableViewProps = { readonly rows: readonly (readonly AnswerLine[])[]; readonly renderLine: (line: AnswerLine) => React.ReactNode };

function TableView({ rows: [head = [], ...rows], renderLine }: TableViewProps) {
  return (
    // A region that scrolls must be focusable to be scrolled with the keyboard.
    <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col" className="border border-line px-2 py-1 text-left font-semibold">
                {renderLine(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} className="border border-line px-2 py-1">
                  {renderLine(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function InlinePart({ part, citations, onOpenTile }: Omit<AnswerTextProps, "text"> & { readonly part: AnswerPart }) {
  if (part.kind === "text") return part.text;
  if (part.kind === "strong") return <strong className="font-semibold">{part.text}</strong>;
  if (part.kind === "code") return <code className="rounded-sm bg-hover px-1 font-mono text-sm">{part.text}</code>;
  if (part.kind === "unsupported") return <span className="ml-1 rounded-sm bg-warn-soft px-1 text-xs text-warn">No source</span>;
  return part.numbers.map((number) => {
    const citation = citations[number - 1];
    return citation && <CitationButton key={number} number={number} citation={citation} onOpenTile={onOpenTile} />;
  });
}
