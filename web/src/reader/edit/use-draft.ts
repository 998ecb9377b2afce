import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

export type EditedField = "title" | "content";

/** What is being typed, and the version that it began from. */
export type Draft = { readonly field: EditedField; readonly value: string; readonly base: string; readonly etag: string | null };

const draftOf = (tileId: string) => ["draft", tileId] as const;

/**
 * What is being typed into a tile. It outlives the panel, which the browser's back button may take away, until it is saved or given up;
 * and leaving the page altogether is asked about first.
 */
export function useDraft(tileId: string) {
  const client = useQueryClient();
  const key = draftOf(tileId);
  const { data: draft = null } = useQuery({
    queryKey: key,
    queryFn: (): Draft | null => null,
    enabled: false,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const isDirty = draft !== null && draft.value !== draft.base;

  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);
  // A field that was opened and not typed into is no draft.
  useEffect(
    () => () => {
      client.setQueryData<Draft | null>(draftOf(tileId), (left) => (left != null && left.value !== left.base ? left : null));
    },
    [client, tileId],
  );

  return {
    draft,
    isDirty,
    setDraft: (next: Draft | null): void => void client.setQueryData<Draft | null>(key, next),
  };
}
