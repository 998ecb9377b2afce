import { createContext, useContext } from "react";
import type { ZoneActions } from "./actions/use-zone-actions.ts";
import type { OpenPopup } from "./popups/popup.ts";

export type ZoneContext = { readonly actions: ZoneActions; readonly open: (popup: OpenPopup) => void };

const Context = createContext<ZoneContext | null>(null);

export const ZoneContextProvider = Context.Provider;

/** The actions on the zone of a column. */
export function useZoneContext(): ZoneContext {
  const context = useContext(Context);
  if (context === null) throw new Error("useZoneContext must be used inside ZoneContextProvider.");
  return context;
}
