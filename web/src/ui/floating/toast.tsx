import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { cn } from "../class-names.ts";
import { iconButtonClasses } from "../controls/icon-button.tsx";
import { CloseIcon } from "../icons/icons.ts";
import { isolateQuotes } from "./isolate-quotes.tsx";
import { closeToast, subscribeToasts, type Toast, getToasts } from "../toasts.ts";

/** Shows the notifications above what stands at the bottom of the page, and announces them. F6 focuses them; none closes while the pointer or the focus is inside. Mounted once. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, getToasts);
  const [isPaused, setPaused] = useState(false);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const first = region.current?.querySelector("button");
      if (event.key !== "F6" || !first) return;
      event.preventDefault();
      first.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <section
      ref={region}
      aria-label="Notifications (F6)"
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="pointer-events-none fixed inset-x-3 bottom-[calc(0.75rem+var(--banners-height,0px)+var(--question-box-height,0px))] z-60 mx-auto flex max-w-md flex-col gap-2 pb-[env(safe-area-inset-bottom)]"
    >
      {(["polite", "assertive"] as const).map((politeness) => (
        <div key={politeness} aria-live={politeness} aria-relevant="additions" className="contents">
          {toasts
            .filter(({ kind }) => (kind === "problem") === (politeness === "assertive"))
            .map((toast) => (
              <ToastCard key={toast.id} toast={toast} isPaused={isPaused} />
            ))}
        </div>
      ))}
    </section>
  );
}

function ToastCard({ toast: { id, text, kind, action, timeout }, isPaused }: { readonly toast: Toast; readonly isPaused: boolean }) {
  useEffect(() => {
    if (isPaused || timeout === 0) return undefined;
    const timer = setTimeout(() => closeToast(id), timeout);
    return () => clearTimeout(timer);
  }, [id, timeout, isPaused]);
  const isProblem = kind === "problem";
  return (
    <div
      className={cn("popup-box animate-rise pointer-events-auto flex items-center gap-2 py-1.5 pr-1.5 pl-4", isProblem && "border-danger")}
    >
      <p className={cn("min-w-0 flex-1 py-1.5 break-words", isProblem && "text-danger")}>{isolateQuotes(text)}</p>
      {action !== undefined && (
        <button
          type="button"
          onClick={() => {
            closeToast(id);
            action.onPress();
          }}
          className="min-h-8 shrink-0 rounded-md px-2.5 font-semibold text-accent hover:bg-hover pointer-coarse:min-h-11"
        >
          {action.label}
        </button>
      )}
      <button type="button" aria-label="Dismiss" onClick={() => closeToast(id)} className={iconButtonClasses("sm")}>
        <CloseIcon />
      </button>
    </div>
  );
}
