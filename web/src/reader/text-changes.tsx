import type { Tile } from "@tessera-board/sdk";
import { useState } from "react";
import { Disclosure } from "../ui/controls/disclosure.tsx";
import { Button } from "../ui/controls/button.tsx";
import { RelativeTime } from "../ui/time/relative-time.tsx";

/** Passages shown before "Show all". */
const COLLAPSED_COUNT = 12;

/** The passages that the last refresh added and removed. */
export function TextChanges({ changes }: { readonly changes: NonNullable<Tile["changes"]> }) {
  const { at, added, removed } = changes;
  const note = (
    <>
      <RelativeTime at={at} /> · {added.length} added, {removed.length} removed
    </>
  );
  return (
    <Disclosure title="What changed" note={note}>
      <div className="flex flex-col gap-4">
        <Passages title="Added" passages={added} sign="+" className="border-good/50 bg-good-soft" />
        <Passages title="Removed" passages={removed} sign="−" className="border-danger/50 bg-danger-soft" />
      </div>
    </Disclosure>
  );
}

type PassagesProps = { readonly title: string; readonly passages: readonly string[]; readonly sign: string; readonly className: string };

function Passages({ title, passages, sign, className }: PassagesProps) {
  const [isWhole, setWhole] = useState(false);
  if (passages.length === 0) return null;
  const shown = isWhole ? passages : passages.slice(0, COLLAPSED_COUNT);
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="text-sm font-medium">{title}</h3>
      <ul className="flex flex-col gap-1">
        {shown.map((passage, index) => (
          // Keyed by index: a passage may appear twice, and the order is fixed.
          <li key={index} className={`flex gap-2 rounded-sm border-l-2 px-2 py-1 text-sm ${className}`}>
            <span aria-hidden="true" className="select-none">
              {sign}
            </span>
            <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              {passage}
            </span>
          </li>
        ))}
      </ul>
      {shown.length < passages.length && (
        <Button size="sm" variant="quiet" className="self-start" onClick={() => setWhole(true)}>
          Show all {passages.length}
        </Button>
      )}
    </section>
  );
}
