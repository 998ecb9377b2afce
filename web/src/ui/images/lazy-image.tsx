import { type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "../class-names.ts";
import { onFirstView } from "./on-first-view.ts";
import { enqueueImageLoad } from "./load-queue.ts";

type LazyImageProps = {
  readonly address: string;
  /** Shown in the same box where no picture is to be had. */
  readonly fallback: ReactNode;
  /** Gives the box its size, which never changes. */
  readonly className: string;
  /** Whether all of it is shown, with room at its sides, or as much as fills the box. */
  readonly isWhole?: boolean;
  readonly children?: ReactNode;
};

type State = "waiting" | "loading" | "shown" | "none";

/** What became of addresses that were loaded since the page was opened; a card that is scrolled back into sight need not wait again. */
const outcomes = new Map<string, "shown" | "none">();
const MAX_OUTCOMES = 5_000;

/** Whether it turned out that there is no such picture. */
export const isImageMissing = (address: string): boolean => outcomes.get(address) === "none";

/** A picture as decoration, in a box of its own size from the first moment: loaded when it comes into sight, and in turns. */
export function LazyImage({ address, ...rest }: LazyImageProps) {
  return <ImageBox key={address} address={address} {...rest} />;
}

function ImageBox({ address, fallback, className, isWhole = false, children }: LazyImageProps) {
  const box = useRef<HTMLSpanElement>(null);
  const [state, setState] = useState<State>(() => (outcomes.get(address) === "shown" ? "shown" : "waiting"));
  const releaseSlot = useRef<(() => void) | undefined>(undefined);

  useEffect(() => {
    if (box.current === null || outcomes.get(address) === "shown") return;
    const stopObserving = onFirstView(box.current, () => {
      releaseSlot.current = enqueueImageLoad(() => setState("loading"));
    });
    return () => {
      stopObserving();
      releaseSlot.current?.();
      releaseSlot.current = undefined;
    };
  }, [address]);

  const settle = (outcome: "shown" | "none"): void => {
    if (outcomes.size >= MAX_OUTCOMES) outcomes.clear();
    outcomes.set(address, outcome);
    setState(outcome);
    releaseSlot.current?.();
  };

  return (
    <span ref={box} data-picture={state} className={cn("relative block overflow-hidden bg-hover", className)}>
      {(state === "loading" || state === "shown") && (
        <img
          src={address}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => settle("shown")}
          onError={() => settle("none")}
          className={cn(
            "absolute inset-0 size-full transition-opacity duration-200",
            isWhole ? "object-contain" : "object-cover",
            state === "shown" ? "opacity-100" : "opacity-0",
          )}
        />
      )}
      {state === "none" && <span className="absolute inset-0 flex items-center justify-center text-quiet">{fallback}</span>}
      {children}
    </span>
  );
}
