import type { ZoneSummary } from "@tessera-board/sdk";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { lazyView } from "../../ui/lazy/lazy-view.tsx";
import { defineLazyModule } from "../../ui/lazy/lazy-module.ts";
import { useZoneRename } from "./use-zone-rename.ts";

const ConflictDialog = lazyView(
  defineLazyModule("src/board/popups/conflict-dialog.tsx", async () => (await import("../popups/conflict-dialog.tsx")).ConflictDialog),
  { name: "The conflict", placement: "card" },
);

type ZoneNameProps = { readonly zone: ZoneSummary; readonly isRenaming: boolean; readonly onRename: (isRenaming: boolean) => void };

/** The name of a zone, edited in place after a double click or from the menu. */
export function ZoneName({ zone, isRenaming, onRename }: ZoneNameProps) {
  if (isRenaming) return <NameField zone={zone} onEnd={() => onRename(false)} />;
  return (
    <h2
      dir="auto"
      data-heading
      tabIndex={-1}
      className="min-w-0 flex-1 truncate font-semibold"
      title={zone.name}
      onDoubleClick={() => onRename(true)}
    >
      {zone.name}
    </h2>
  );
}

function NameField({ zone, onEnd }: { readonly zone: ZoneSummary; readonly onEnd: () => void }) {
  const rename = useZoneRename(zone, onEnd);
  const { name, error, theirs } = rename;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Wait until the closing menu has returned the focus to its button.
    const timer = setTimeout(() => field.current !== document.activeElement && field.current?.select(), 60);
    return () => clearTimeout(timer);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") rename.finish();
    if (event.key === "Escape") onEnd();
  };
  return (
    <div className="min-w-0 flex-1">
      <input
        ref={field}
        dir="auto"
        value={name}
        maxLength={200}
        aria-label={`Name of ${zone.name}`}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : `${zone.id}-name-error`}
        onChange={(event) => rename.change(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => theirs === null && !rename.isSaving && rename.finish()}
        className="field-box h-8 px-2 font-semibold pointer-coarse:h-11"
      />
      {error !== null && (
        <p id={`${zone.id}-name-error`} role="alert" className="pt-1 text-sm text-danger">
          {error}
        </p>
      )}
      {theirs !== null && (
        <ConflictDialog
          isOpen
          title="Someone else renamed this zone"
          theirs={theirs.name}
          mine={name.trim()}
          onTheirs={rename.keepTheirs}
          onMine={rename.keepMine}
          onClose={rename.closeConflict}
        />
      )}
    </div>
  );
}
