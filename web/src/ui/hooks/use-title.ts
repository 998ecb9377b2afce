import { useEffect } from "react";

/** Sets the title of the browser tab while the component is mounted. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Tessera`;
    return () => {
      document.title = "Tessera";
    };
  }, [title]);
}
