import { useEffect, useRef, useState } from "react";
import { getErrorMessage } from "../../api/client/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Spinner } from "../../ui/icons/spinner.tsx";
import { onFirstView } from "../../ui/images/on-first-view.ts";
import { useBoard } from "../board-context.ts";
import type { BoardColumn } from "../model/tile.ts";

/** The end of a column of which a part is loaded. It loads more when it is almost in view. */
export function ColumnEnd({ column }: { readonly column: BoardColumn }) {
  const { load } = useBoard();
  const [error, setError] = useState<string | null>(null);
  const mark = useRef<HTMLDivElement>(null);

  // Observes again after each page, because the mark may still be in view.
  useEffect(() => {
    const element = mark.current;
    if (element === null || error !== null) return undefined;
    let isMounted = true;
    let frame = 0;
    let stop = observe(element);
    return () => {
      isMounted = false;
      cancelAnimationFrame(frame);
      stop();
    };

    function observe(shown: HTMLElement): () => void {
      // A frame later, the list has the height of what was added and measured since the observer saw the mark.
      return onFirstView(shown, () => (frame = requestAnimationFrame(() => loadIfInView(shown))));
    }

    function loadIfInView(shown: HTMLElement): void {
      const { top, height } = shown.getBoundingClientRect();
      // Without a height, the board is not laid out.
      if (height === 0 || top > window.innerHeight) stop = observe(shown);
      else
        load(column.id, column.loaded === "nothing" ? "start" : "more").catch(
          (failure: unknown) => isMounted && setError(getErrorMessage(failure)),
        );
    }
  }, [column, load, error]);

  return (
    <>
      {/* Reaches above the end, so that the next page arrives before the end is seen. */}
      <div ref={mark} aria-hidden="true" className="pointer-events-none absolute inset-x-0 bottom-0 h-300 max-h-full" />
      {error === null ? (
        <p className="flex items-center justify-center gap-2 py-4 text-sm text-quiet">
          <Spinner /> Loading tiles…
        </p>
      ) : (
        <div role="alert" className="flex flex-col items-center gap-2 py-4 text-center text-sm text-danger">
          <p>The next tiles could not be loaded. {error}</p>
          <Button size="sm" onClick={() => setError(null)}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}
