import { useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";

/** Commands that one feature of the page sends to another. */
export type PageCommand = "palette" | "ask" | "help" | "new-tile" | "new-zone" | "undo" | "redo";

/** How long a command waits for a feature that is still loading. */
const MAX_PENDING_MS = 15_000;

const bus = new EventTarget();
let pending: { readonly command: PageCommand; readonly path: string; readonly until: number } | null = null;

/** Sends a command. If its handler is not mounted yet, the command waits for it, unless another page is opened. */
export function sendCommand(command: PageCommand): void {
  const isHandled = !bus.dispatchEvent(new Event(command, { cancelable: true }));
  pending = isHandled ? null : { command, path: location.pathname, until: performance.now() + MAX_PENDING_MS };
}

/** Handles a command while the component is mounted. One that waited for it is handled before the component is first shown. */
export function useCommand(command: PageCommand, act: () => void): void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  useLayoutEffect(() => {
    const listener = (event: Event): void => {
      event.preventDefault();
      latest.current();
    };
    bus.addEventListener(command, listener);
    if (takePendingCommand(command)) queueMicrotask(() => flushSync(() => latest.current()));
    return () => bus.removeEventListener(command, listener);
  }, [command]);
}

/** Removes the command if it was waiting for its handler. Returns whether it still applies. */
function takePendingCommand(command: PageCommand): boolean {
  if (pending?.command !== command) return false;
  const { path, until } = pending;
  pending = null;
  return path === location.pathname && performance.now() <= until;
}
