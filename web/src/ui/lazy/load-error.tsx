import { type KeyboardEvent, useEffect, useRef } from "react";
import { cn } from "../class-names.ts";
import { Button } from "../controls/button.tsx";
import type { LoadFailure } from "./download.ts";

/** Where a lazy component is placed: the whole page, a sheet or column at the side, or a card above the page. */
export type ErrorPlacement = "page" | "sheet" | "column" | "card";

export type LoadErrorProps = {
  /** The subject of a sentence, such as "The tile". */
  readonly name: string;
  readonly placement: ErrorPlacement;
  /** `crashed`: the module was loaded, but rendering failed. */
  readonly problem: LoadFailure | "crashed";
  readonly isRetrying: boolean;
  readonly onRetry: () => void;
  readonly onClose?: (() => void) | undefined;
};

/** Classes of each placement, shared with the loading state. */
export const PLACEMENT_CLASSES: Readonly<Record<ErrorPlacement, string>> = {
  page: "mx-auto max-w-md px-6 py-20",
  sheet: "fixed inset-y-0 right-0 z-40 w-full max-w-2xl border-l border-line bg-raised p-6 text-ink shadow-float",
  column:
    "bg-raised p-5 text-ink max-md:fixed max-md:inset-0 max-md:z-30 md:h-full md:w-104 md:shrink-0 md:border-l md:border-line xl:w-md",
  card: "popup-box fixed inset-x-3 top-16 z-60 mx-auto max-w-sm p-5",
};

/** Shown instead of a lazy component that cannot be displayed, with the reason and what to do. */
export function LoadError({ name, placement, problem, isRetrying, onRetry, onClose }: LoadErrorProps) {
  const box = useRef<HTMLElement>(null);
  const isFloating = placement === "sheet" || placement === "card";
  useEffect(() => {
    const before = document.activeElement;
    if (isFloating) box.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected && box.current?.contains(document.activeElement)) before.focus();
    };
  }, [isFloating]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || onClose === undefined) return;
    event.stopPropagation();
    onClose();
  };
  const { title, text } = describeFailure(name, problem);
  return (
    <section
      ref={box}
      role={isFloating ? "dialog" : "region"}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className={cn("flex flex-col items-start gap-3 outline-none", PLACEMENT_CLASSES[placement])}
    >
      <h2 className="text-lg font-semibold">{title}</h2>
      <p role="alert" className="text-quiet">
        {text}
      </p>
      <div className="flex flex-wrap gap-2">
        {problem !== "newer" && (
          <Button variant="primary" onClick={onRetry} isBusy={isRetrying}>
            Try again
          </Button>
        )}
        {problem !== "offline" && (
          <Button variant={problem === "newer" ? "primary" : "plain"} onClick={() => window.location.reload()}>
            Reload the page
          </Button>
        )}
        {onClose !== undefined && <Button onClick={onClose}>Close</Button>}
      </div>
    </section>
  );
}

function describeFailure(name: string, problem: LoadErrorProps["problem"]): { readonly title: string; readonly text: string } {
  switch (problem) {
    case "offline":
      return { title: "No connection", text: `${name} opens as soon as the server is reachable again. Your changes are kept.` };
    case "newer":
      return { title: "A new version is available", text: `${name} opens after you reload the page.` };
    case "broken":
      return { title: `${name} could not be loaded`, text: "The file could not be downloaded. Try again, or reload the page." };
    case "crashed":
      return {
        title: `${name} could not be displayed`,
        text: "Your boards are not affected. Try again. If the error occurs again, tell the operator what you did.",
      };
  }
}
