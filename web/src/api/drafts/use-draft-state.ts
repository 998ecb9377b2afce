import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { useSession } from "../session.ts";
import { draftKey, readDraft, setDraft, subscribeDraft, writeDraft } from "./draft-store.ts";

/** How long after the last change a draft is written to the tab's storage, in milliseconds. */
const WRITE_DELAY_MS = 400;

/**
 * State that is kept aside under `name` until it is null: it survives the component, a reload, and the end of the session. Nobody but the
 * same member sees it again, in the same tab, and logging out removes it. The component's own state is changed at once, as a text field
 * needs it; the tab's storage follows later.
 */
export function useDraftState<Value>(name: string): readonly [Value | null, Dispatch<SetStateAction<Value | null>>] {
  const member = useSession().data?.member.id;
  // The session may end before this is unmounted, so the member it was opened by is remembered.
  const [key] = useState(() => draftKey(member ?? "", name));
  const [value, setValue] = useState(() => readDraft(key) as Value | null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const [set] = useState(() => (next: SetStateAction<Value | null>): void => {
    const after = typeof next === "function" ? (next as (value: Value | null) => Value | null)(readDraft(key) as Value | null) : next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => writeDraft(key), WRITE_DELAY_MS);
    // This component hears of it as well, and so does another one that shows the same draft: a panel that was closed while it saved, and
    // opened again.
    setDraft(key, after);
  });

  useEffect(() => {
    const stop = subscribeDraft(key, (next) => setValue(next as Value | null));
    const flush = (): void => writeDraft(key);
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      stop();
      clearTimeout(timer.current);
      flush();
    };
  }, [key]);

  return [value, set];
}

/** As `useDraftState`, for the text of a field: an empty one is not kept. */
export function useDraftText(name: string): readonly [string, Dispatch<SetStateAction<string>>] {
  const [value, set] = useDraftState<string>(name);
  const [setText] = useState(() => (next: SetStateAction<string>): void => {
    set((before) => (typeof next === "function" ? next(before ?? "") : next) || null);
  });
  return [value ?? "", setText];
}
