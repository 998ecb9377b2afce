import { useCallback, useState } from "react";
import { flushSync } from "react-dom";
import { useCommand } from "../../ui/commands.ts";
import { useKeyBuffer } from "../../ui/hooks/use-key-buffer.ts";

export type BoardPanels = {
  readonly open: "ask" | "palette" | "help" | null;
  /** The tiles to generate from; null if the panel was opened without a selection. */
  readonly chosen: readonly string[] | null;
  readonly openGenerate: (ids: readonly string[]) => void;
  readonly close: () => void;
  /** Returns what was typed while the search was loading. */
  readonly takeTyped: () => string;
};

/** Which panel is open beside or above the board; opened by commands. */
export function useBoardPanels(): BoardPanels {
  const [open, setOpen] = useState<BoardPanels["open"]>(null);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const close = useCallback(() => {
    setChosen(null);
    setOpen(null);
  }, []);
  const openGenerate = useCallback((ids: readonly string[]) => {
    setChosen(ids);
    setOpen("ask");
  }, []);
  // Flushed synchronously, so that the next key is buffered for the search.
  useCommand("palette", () => flushSync(() => setOpen("palette")));
  useCommand("help", () => setOpen("help"));
  useCommand("ask", () => {
    setChosen(null);
    setOpen((current) => (current === "ask" ? null : "ask"));
  });
  const takeTyped = useKeyBuffer(open === "palette", close);
  return { open, chosen, openGenerate, close, takeTyped };
}
