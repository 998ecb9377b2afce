import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { useSession } from "../session.ts";
import { draftKey, readDraft, setDraft, subscribeDraft, writeDraft } from "./draft-store.ts";

/** Delay between the last change of a draft and its copy to sessionStorage, in milliseconds. */
const WRITE_DELAY_MS = 400;

/**
 * State that survives unmounting, a reload and the end of the session, until it is set to null. Only the same member sees it again, in
 * the same tab; logging out deletes it. Component state changes immediately, as text fields require; storage follows after a delay.
 */
export function useDraftState<Value>(name: string): readonly [Value | null, Dispatch<SetStateAction<Value | null>>] {
  const member = useSession().data?.member.id;
  // The session may end before this unmounts, so the member is captured at the first render.
  const [key] = useState(() => draftKey(member ?? "", name));
  const [value, setValue] = useState(() => readDraft(key) as Value | null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const [set] = useState(() => (next: SetStateAction<Value | null>): void => {
    const after = typeof next === "function" ? (next as (value: Value | null) => Value | null)(readDraft(key) as Value | null) : next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => writeDraft(key), WRITE_DELAY_MS);
    // Notifies this component and any other that shows the same draft, such as a panel reopened while it was saving.
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

/** Like `useDraftState`, for the text of a field. An empty text deletes the draft. */
export function useDraftText(name: string): readonly [string, Dispatch<SetStateAction<string>>] {
  const [value, set] = useDraftState<string>(name);
  const [setText] = useState(() => (next: SetStateAction<string>): void => {
    set((before) => (typeof next === "function" ? next(before ?? "") : next) || null);
  });
  return [value ?? "", setText];
}
