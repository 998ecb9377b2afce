/** Prefix of drafts in sessionStorage. Increase the number when the format changes. */
const PREFIX = "tessera-draft-1:";

type Listener = (value: unknown) => void;

/** Unsaved input by key. This map is authoritative while the page is open; sessionStorage is a copy that survives a reload. */
const current = new Map<string, unknown>();
const listeners = new Map<string, Set<Listener>>();

/** The storage key of a draft. It contains the member, so members never see each other's drafts. */
export const draftKey = (memberId: string, name: string): string => `${PREFIX}${memberId}:${name}`;

/** The draft with this key, or null. */
export function readDraft(key: string): unknown {
  if (current.has(key)) return current.get(key);
  try {
    const written = sessionStorage.getItem(key);
    return written === null ? null : (JSON.parse(written) as unknown);
  } catch {
    return null;
  }
}

/** Updates a draft for all subscribers, or removes it if the value is null. Call `writeDraft` to copy it to sessionStorage. */
export function setDraft(key: string, value: unknown): void {
  if (value === null) removeDraft(key);
  else current.set(key, value);
  for (const listener of listeners.get(key) ?? []) listener(value);
}

/** Copies a draft to sessionStorage. If storage is full or blocked, the draft lasts as long as the page. */
export function writeDraft(key: string): void {
  if (!current.has(key)) return;
  try {
    sessionStorage.setItem(key, JSON.stringify(current.get(key)));
  } catch {
    removeFromStorage(key);
  }
}

/** Calls `listener` with each change of a draft until the returned function is called. */
export function subscribeDraft(key: string, listener: Listener): () => void {
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all.add(listener));
  return () => {
    all.delete(listener);
    if (all.size === 0) listeners.delete(key);
  };
}

/** Storage item with the id of the latest log-out: in localStorage for the browser, in sessionStorage as last seen by the tab. */
const LOG_OUT_ITEM = "tessera-log-out";

/** Deletes the drafts of all tabs of this browser, after a log-out. */
export function clearAllDrafts(): void {
  clearDrafts();
  try {
    const name = crypto.randomUUID();
    localStorage.setItem(LOG_OUT_ITEM, name);
    sessionStorage.setItem(LOG_OUT_ITEM, name);
  } catch {
    // Without storage, the drafts of other tabs are lost when those pages close anyway.
  }
}

/** Deletes this tab's drafts if another tab logged out while this one was closed, suspended or offline. */
function syncLogOuts(): void {
  try {
    const latest = localStorage.getItem(LOG_OUT_ITEM);
    if (latest === sessionStorage.getItem(LOG_OUT_ITEM)) return;
    clearDrafts();
    if (latest !== null) sessionStorage.setItem(LOG_OUT_ITEM, latest);
  } catch {
    // Storage is blocked, so there is nothing to delete.
  }
}

// The storage event comes from other tabs; a page restored from the back/forward cache has missed it.
if (typeof window !== "undefined") {
  syncLogOuts();
  window.addEventListener("storage", syncLogOuts);
  window.addEventListener("pageshow", syncLogOuts);
}

/** Deletes all drafts of this tab. */
function clearDrafts(): void {
  for (const [key, all] of listeners) {
    if (current.has(key)) for (const listener of all) listener(null);
  }
  current.clear();
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Storage is blocked, so there is nothing to delete.
  }
}

function removeDraft(key: string): void {
  current.delete(key);
  removeFromStorage(key);
}

function removeFromStorage(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage is blocked, so the draft was never written.
  }
}
