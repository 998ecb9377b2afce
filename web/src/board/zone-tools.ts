import { createContext, useContext } from "react";
import type { ZoneActions } from "./actions/use-zone-actions.ts";
import type { Popup } from "./popups/popup.ts";

export type ZoneTools = { readonly actions: ZoneActions; readonly open: (popup: Popup) => void };

const Context = createContext<ZoneTools | null>(null);

export const ZoneToolsProvider = Context.Provider;

/** What the parts of a column may do with its zone. */
export function useZoneTools(): ZoneTools {
  const tools = useContext(Context);
  if (tools === null) throw new Error("This part of the page stands outside a board.");
  return tools;
}
