import { useEffect } from "react";

/** The title of the browser's tab while the component is shown. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Tessera`;
    return () => {
      document.title = "Tessera";
    };
  }, [title]);
}
