import { type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "../class-names.ts";
import { onFirstView } from "./on-first-view.ts";
import { enqueueImageLoad } from "./load-queue.ts";

type LazyImageProps = {
  readonly address: string;
  /** Shown in the same box if the image is missing. */
  readonly fallback: ReactNode;
  /** Sets the fixed size of the box. */
  readonly className: string;
  /** Shows the whole image with margins instead of cropping it. */
  readonly isWhole?: boolean;
  readonly children?: ReactNode;
};

type State = "waiting" | "loading" | "shown" | "none";

/** Results of images loaded by this page, so that a card scrolled back into view shows its image immediately. */
const outcomes = new Map<string, "shown" | "none">();
const MAX_OUTCOMES = 5_000;

/** Whether the image is known to be missing. */
export const isImageMissing = (address: string): boolean => outcomes.get(address) === "none";

/** A decorative image in a box of fixed size, loaded when it becomes visible, through the load queue. */
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
    <span ref={box} data-image={state} className={cn("relative block overflow-hidden bg-hover", className)}>
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
