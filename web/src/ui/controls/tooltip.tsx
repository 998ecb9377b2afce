import { cloneElement, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Kbd } from "../icons/kbd.tsx";

export type TooltipProps = {
  readonly label: string;
  readonly keys?: string | undefined;
  /** The element that gets the tooltip. */
  readonly render: ReactElement<Record<string, unknown>>;
};

/** Attributes that give an element a tooltip. */
export const tooltipProps = (label: string, keys?: string) => ({
  "data-tooltip": label,
  ...(keys !== undefined && { "data-tooltip-keys": keys }),
});

/** Adds a tooltip, shown on hover and keyboard focus. It does not replace the accessible name. */
export const Tooltip = ({ label, keys, render }: TooltipProps) => cloneElement(render, tooltipProps(label, keys));

type Shown = { readonly label: string; readonly keys: string | undefined; readonly at: DOMRect };

/** Delay before a tooltip appears, in milliseconds; while one is open, the next appears immediately. */
const OPEN_DELAY_MS = 450;

/** Shows the tooltip of the hovered or focused element. Mounted once, so that thousands of elements need no listeners. */
export function TooltipLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const isShown = useRef(false);
  isShown.current = shown !== null;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = (): void => {
      clearTimeout(timer);
      setShown(null);
    };
    const show = (target: EventTarget | null, delayMs: number): void => {
      const owner = target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
      if (owner === null || owner.getAttribute("aria-expanded") === "true") return hide();
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!owner.isConnected) return;
        setShown({ label: owner.dataset["tooltip"] ?? "", keys: owner.dataset["tooltipKeys"], at: owner.getBoundingClientRect() });
      }, delayMs);
    };
    const onOver = (event: PointerEvent): void => {
      if (event.pointerType === "mouse") show(event.target, isShown.current ? 0 : OPEN_DELAY_MS);
    };
    const onFocus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(":focus-visible")) show(event.target, 0);
      else hide();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") hide();
    };
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener("pointerover", onOver, { signal });
    document.addEventListener("focusin", onFocus, { signal });
    document.addEventListener("keydown", onKey, { signal });
    for (const name of ["pointerdown", "scroll", "focusout"])
      document.addEventListener(name, hide, { signal, capture: true, passive: true });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, []);
  return shown === null ? null : <TooltipBox {...shown} />;
}

function TooltipBox({ label, keys, at }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const { width, height } = current.getBoundingClientRect();
    const below = at.bottom + 6 + height < window.innerHeight;
    const left = Math.min(Math.max(6, at.left + at.width / 2 - width / 2), window.innerWidth - width - 6);
    current.style.left = `${left}px`;
    current.style.top = `${below ? at.bottom + 6 : at.top - height - 6}px`;
  }, [at, label]);
  return (
    <div
      ref={box}
      aria-hidden="true"
      dir="auto"
      className="pointer-events-none fixed top-0 left-0 z-70 flex max-w-64 items-center gap-2 rounded-md bg-ink px-2 py-1 text-sm text-canvas shadow-card"
    >
      {label}
      {keys !== undefined && <Kbd keys={keys} />}
    </div>
  );
}
