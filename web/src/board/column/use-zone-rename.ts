import type { ZoneSummary } from "@tessera-board/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { getErrorMessage, hasStatus, tessera } from "../../api/client/client.ts";
import { zonesKey } from "../../api/query-keys.ts";
import { useBoard } from "../board-context.ts";
import { useZoneContext } from "../zone-context.ts";

/** An ETag that never matches. */
const STALE_ETAG = '"0"';

/**
 * Renames a zone. If somebody else renamed it in the meantime, `theirs` is their version, and the user chooses between both.
 */
export function useZoneRename(zone: ZoneSummary, onEnd: () => void) {
  const { boardId } = useBoard();
  const { actions } = useZoneContext();
  const client = useQueryClient();
  /** The name when editing began; the name of the zone may change during editing. */
  const [base] = useState(zone.name);
  const [name, setName] = useState(base);
  const [error, setError] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<{ readonly name: string; readonly etag: string | null } | null>(null);
  const initialEtag = useInitialEtag(zone.id, base);
  const refetchZones = () => client.invalidateQueries({ queryKey: zonesKey(boardId) });

  const save = useMutation({
    meta: { isQuiet: true },
    mutationFn: async (ifMatch: string | null | undefined) =>
      tessera.zones.update(zone.id, { name: name.trim() }, { ifMatch: ifMatch === undefined ? await initialEtag.current : ifMatch }),
    onSuccess: async (saved) => {
      await refetchZones();
      actions.keepRename(saved, base, saved.name);
      onEnd();
    },
    onError: async (failure): Promise<void> => {
      if (!hasStatus(failure, 412)) return setError(getErrorMessage(failure));
      const now = await tessera.zones.get(zone.id).catch(() => null);
      if (now === null) return setError(getErrorMessage(failure));
      // Another property of the zone was changed, so saving the name loses nothing.
      if (now.name === base || now.name === name.trim()) return save.mutate(now.etag);
      return setTheirs(now);
    },
  });

  return {
    name,
    error,
    theirs,
    isSaving: save.isPending,
    change(value: string): void {
      setName(value);
      setError(null);
    },
    finish(): void {
      if (name.trim() === base || name.trim() === zone.name) return onEnd();
      if (name.trim() === "") return setError("Enter a name for the zone.");
      if (error === null) save.mutate(undefined);
    },
    keepTheirs: (): void => void refetchZones().then(onEnd),
    keepMine(): void {
      setTheirs(null);
      if (theirs !== null) save.mutate(theirs.etag);
    },
    closeConflict: (): void => setTheirs(null),
  };
}

/** The ETag when editing began. If unknown, one that never matches, so that the current name is checked first. */
function useInitialEtag(zoneId: string, base: string) {
  const etag = useRef<Promise<string | null>>(null);
  useEffect(() => {
    etag.current = tessera.zones.get(zoneId).then(
      (now) => (now.name === base ? now.etag : STALE_ETAG),
      () => STALE_ETAG,
    );
    // Deliberately runs once: only the state at the beginning counts.
  }, []);
  return etag;
}
