import { useCallback, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { OpenTile, Quote } from "../../text/quote.ts";
import { useLatest } from "../../ui/hooks/use-latest.ts";

/** Marks a history entry that was added when a tile was opened, so that the board is the entry before it. */
const OWN_ENTRY = { isOpenedHere: true };
const isOwnEntry = (): boolean => (window.history.state as Partial<typeof OWN_ENTRY> | null)?.isOpenedHere === true;

/** The tile that is open in the reader. It is part of the URL, so links lead to it and the back button closes it. */
export function useOpenTile(): {
  readonly tileId: string | null;
  readonly quote: Quote | undefined;
  readonly open: OpenTile;
  readonly close: () => void;
} {
  const [path, goTo] = useLocation();
  const tileId = new URLSearchParams(useSearch()).get("tile");
  const [quoted, setQuoted] = useState<{ readonly tileId: string; readonly quote: Quote } | null>(null);
  const now = useLatest({ path, goTo, tileId });

  const open = useCallback<OpenTile>(
    (id, quote) => {
      setQuoted(quote === undefined ? null : { tileId: id, quote });
      const { path: here, goTo: go, tileId: shown } = now();
      if (id !== shown)
        go(`${here}?tile=${encodeURIComponent(id)}`, { replace: shown !== null, state: shown === null || isOwnEntry() ? OWN_ENTRY : null });
    },
    [now],
  );
  const close = useCallback(() => {
    // Going back leaves no entry behind that would do nothing.
    if (isOwnEntry()) return window.history.back();
    const { path: here, goTo: go } = now();
    go(here, { replace: true });
  }, [now]);
  return { tileId, quote: quoted?.tileId === tileId ? quoted?.quote : undefined, open, close };
}
