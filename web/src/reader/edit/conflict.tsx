import { useEffect, useRef } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import type { TileEdit } from "./use-tile-edit.ts";
import { RelativeTime } from "../../ui/time/relative-time.tsx";

/** The other person's version and the choice between both; the local version stays in its field. */
export function Conflict({ edit, noun }: { readonly edit: TileEdit; readonly noun: "title" | "text" }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  if (edit.theirs === null) return null;
  const { value, at } = edit.theirs;
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Conflict"
      className="flex flex-col gap-3 rounded-md border border-warn/40 bg-warn-soft p-3"
    >
      <p role="alert" className="text-sm font-medium text-warn">
        Someone else changed this {noun} <RelativeTime at={at} />, while you were editing. Nothing was overwritten.
      </p>
      <div className="flex flex-col gap-1">
        <p className="text-sm text-ink">Their {noun}:</p>
        <p
          tabIndex={0}
          dir="auto"
          className="max-h-48 overflow-y-auto rounded-md border border-line bg-raised p-2 text-sm whitespace-pre-wrap wrap-anywhere"
        >
          {value}
        </p>
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={edit.draft?.value ?? ""} label={`Copy my ${noun}`} />
        <Button size="sm" onClick={edit.takeTheirs}>
          Use theirs
        </Button>
        <Button size="sm" variant="danger" onClick={edit.keepMine} isBusy={edit.isSaving}>
          Replace with mine
        </Button>
      </div>
    </section>
  );
}
