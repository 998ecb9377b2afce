import { type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "../class-names.ts";
import { whenInSight } from "./in-sight.ts";
import { takePictureTurn } from "./picture-turns.ts";

type PictureProps = {
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
const known = new Map<string, "shown" | "none">();
const MAX_KNOWN = 5_000;

/** Whether it turned out that there is no such picture. */
export const isPictureMissing = (address: string): boolean => known.get(address) === "none";

/** A picture as decoration, in a box of its own size from the first moment: loaded when it comes into sight, and in turns. */
export function Picture({ address, ...rest }: PictureProps) {
  return <PictureBox key={address} address={address} {...rest} />;
}

function PictureBox({ address, fallback, className, isWhole = false, children }: PictureProps) {
  const box = useRef<HTMLSpanElement>(null);
  const [state, setState] = useState<State>(() => (known.get(address) === "shown" ? "shown" : "waiting"));
  const endTurn = useRef<(() => void) | undefined>(undefined);

  useEffect(() => {
    if (box.current === null || known.get(address) === "shown") return;
    const stopLooking = whenInSight(box.current, () => {
      endTurn.current = takePictureTurn(() => setState("loading"));
    });
    return () => {
      stopLooking();
      endTurn.current?.();
      endTurn.current = undefined;
    };
  }, [address]);

  const settle = (outcome: "shown" | "none"): void => {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(address, outcome);
    setState(outcome);
    endTurn.current?.();
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
