import { useEffect, useRef } from "react";

/** What one room of the page asks another for. */
export type Command = "palette" | "ask" | "help" | "new-tile" | "new-zone";

const bus = new EventTarget();

/** Asks whichever room knows how; nothing where none is shown. */
export const sendCommand = (command: Command): void => {
  bus.dispatchEvent(new Event(command));
};

/** Does what is asked for while the component is shown. */
export function useCommand(command: Command, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listener = (): void => latest.current();
    bus.addEventListener(command, listener);
    return () => bus.removeEventListener(command, listener);
  }, [command]);
}
