import { createContext, useContext } from "react";
import type { ZoneActions } from "./actions/use-zone-actions.ts";
import type { Popup } from "./popups/popup.ts";

export type ZoneContext = { readonly actions: ZoneActions; readonly open: (popup: Popup) => void };

const Context = createContext<ZoneContext | null>(null);

export const ZoneContextProvider = Context.Provider;

/** What the parts of a column may do with its zone. */
export function useZoneContext(): ZoneContext {
  const tools = useContext(Context);
  if (tools === null) throw new Error("This part of the page stands outside a board.");
  return tools;
}
