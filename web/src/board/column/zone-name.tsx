import type { ZoneSummary } from "@tessera/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { hasStatus, getErrorMessage, tessera } from "../../api/client/client.ts";
import { zonesKey } from "../../api/query-keys.ts";
import { lazyView } from "../../lazy/lazy-view.tsx";
import { defineLazyModule } from "../../lazy/lazy-module.ts";
import { useBoard } from "../board-context.ts";

const ConflictDialog = lazyView(
  defineLazyModule("src/board/popups/conflict-dialog.tsx", async () => (await import("../popups/conflict-dialog.tsx")).ConflictDialog),
  { name: "The conflict", placement: "card" },
);

type ZoneNameProps = { readonly zone: ZoneSummary; readonly isRenaming: boolean; readonly onRename: (isRenaming: boolean) => void };

/** The name of a zone, edited in place after a double click or from the menu. */
export function ZoneName({ zone, isRenaming, onRename }: ZoneNameProps) {
  if (isRenaming) return <NameField zone={zone} onEnd={() => onRename(false)} />;
  return (
    <h2 dir="auto" className="min-w-0 flex-1 truncate font-semibold" title={zone.name} onDoubleClick={() => onRename(true)}>
      {zone.name}
    </h2>
  );
}

function NameField({ zone, onEnd }: { readonly zone: ZoneSummary; readonly onEnd: () => void }) {
  const { boardId } = useBoard();
  const client = useQueryClient();
  /** The name when editing began; the zone's own name may change meanwhile. */
  const [base] = useState(zone.name);
  const [name, setName] = useState(base);
  const [error, setError] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<{ readonly name: string; readonly etag: string | null } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  /** The ETag when editing began. If unknown, one that never matches, so that the current name is checked first. */
  const initialEtag = useRef<Promise<string | null>>(null);

  useEffect(() => {
    initialEtag.current = tessera.zones.get(zone.id).then(
      ({ etag, name: now }) => (now === base ? etag : STALE_ETAG),
      () => STALE_ETAG,
    );
    // Wait until the closing menu has returned the focus to its button.
    const timer = setTimeout(() => field.current?.select(), 60);
    return () => clearTimeout(timer);
    // Deliberately runs once: only the state at the beginning counts.
  }, []);

  const save = useMutation({
    meta: { isQuiet: true },
    mutationFn: async (ifMatch: string | null | undefined) =>
      tessera.zones.update(zone.id, { name: name.trim() }, { ifMatch: ifMatch === undefined ? await initialEtag.current : ifMatch }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: zonesKey(boardId) });
      onEnd();
    },
    onError: async (refusal): Promise<void> => {
      if (!hasStatus(refusal, 412)) return setError(getErrorMessage(refusal));
      const now = await tessera.zones.get(zone.id).catch(() => null);
      if (now === null) return setError(getErrorMessage(refusal));
      // Another property of the zone was changed, so saving the name loses nothing.
      if (now.name === base || now.name === name.trim()) return save.mutate(now.etag);
      return setTheirs(now);
    },
  });

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
        onChange={(event) => {
          setName(event.target.value);
          setError(null);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => theirs === null && !save.isPending && finish()}
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
          onTheirs={() => void client.invalidateQueries({ queryKey: zonesKey(boardId) }).then(onEnd)}
          onMine={() => {
            setTheirs(null);
            save.mutate(theirs.etag);
          }}
          onClose={() => setTheirs(null)}
        />
      )}
    </div>
  );

  function finish(): void {
    if (name.trim() === base || name.trim() === zone.name) return onEnd();
    if (name.trim() === "") return setError("Enter a name for the zone.");
    if (error === null) save.mutate(undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    event.stopPropagation();
    if (event.key === "Enter") finish();
    if (event.key === "Escape") onEnd();
  }
}

/** An ETag that never matches. */
const STALE_ETAG = '"0"';
