import { useEffect, useRef } from "react";

/** What one room of the page asks another for. */
export type Command = "palette" | "ask" | "help" | "new-tile" | "new-zone";

/** So long a command waits for a room that is still loading. */
const MAX_PENDING_MS = 15_000;

const bus = new EventTarget();
let pending: { readonly command: Command; readonly path: string; readonly until: number } | null = null;

/** Asks whichever room knows how; where it is still loading it is asked once it is shown, unless another page was opened meanwhile. */
export function sendCommand(command: Command): void {
  const isHeard = !bus.dispatchEvent(new Event(command, { cancelable: true }));
  pending = isHeard ? null : { command, path: location.pathname, until: performance.now() + MAX_PENDING_MS };
}

/** Does what is asked for while the component is shown. */
export function useCommand(command: Command, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listener = (event: Event): void => {
      event.preventDefault();
      latest.current();
    };
    bus.addEventListener(command, listener);
    if (takePendingCommand(command)) queueMicrotask(() => latest.current());
    return () => bus.removeEventListener(command, listener);
  }, [command]);
}

/** Whether this command was sent before its room was there. */
function takePendingCommand(command: Command): boolean {
  if (pending?.command !== command) return false;
  const { path, until } = pending;
  pending = null;
  return path === location.pathname && performance.now() <= until;
}
