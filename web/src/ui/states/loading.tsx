import { useEffect, useState } from "react";
import { Spinner } from "../icons/spinner.tsx";

/** A centred spinner that appears after a short delay. */
export function Loading({ label = "Loading" }: { readonly label?: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="flex min-h-40 items-center justify-center text-quiet">
      {isLong && <Spinner label={label} className="[&_svg]:size-6" />}
    </div>
  );
}
