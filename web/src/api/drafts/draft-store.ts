/** Drafts in the tab's storage begin with this. The number changes when their form does. */
const PREFIX = "tessera-draft-1:";

type Listener = (value: unknown) => void;

/** What is being typed, by key: the truth while the page is open. The tab's storage follows it, and outlives a reload. */
const current = new Map<string, unknown>();
const listeners = new Map<string, Set<Listener>>();

/** The key of a draft. Drafts of one member are never found by the keys of another. */
export const draftKey = (memberId: string, name: string): string => `${PREFIX}${memberId}:${name}`;

/** The draft of this key; null where there is none. */
export function readDraft(key: string): unknown {
  if (current.has(key)) return current.get(key);
  try {
    const written = sessionStorage.getItem(key);
    return written === null ? null : (JSON.parse(written) as unknown);
  } catch {
    return null;
  }
}

/** Changes a draft for all who show it, or removes it where the value is null. `writeDraft` makes the tab's storage follow. */
export function setDraft(key: string, value: unknown): void {
  if (value === null) removeDraft(key);
  else current.set(key, value);
  for (const listener of listeners.get(key) ?? []) listener(value);
}

/** Copies a draft to the tab's storage. That may be full or forbidden: then the draft lasts as long as the page. */
export function writeDraft(key: string): void {
  if (!current.has(key)) return;
  try {
    sessionStorage.setItem(key, JSON.stringify(current.get(key)));
  } catch {
    removeFromStorage(key);
  }
}

/** Calls `listener` with each change of a draft, until the function that is returned is called. */
export function subscribeDraft(key: string, listener: Listener): () => void {
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all.add(listener));
  return () => {
    all.delete(listener);
    if (all.size === 0) listeners.delete(key);
  };
}

/** Names the latest log-out: in the browser's storage, and in each tab's storage as that tab knows it. */
const LOG_OUT_ITEM = "tessera-log-out";

/** Forgets the drafts of every tab of this browser: somebody logged out. */
export function clearAllDrafts(): void {
  clearDrafts();
  try {
    const name = crypto.randomUUID();
    localStorage.setItem(LOG_OUT_ITEM, name);
    sessionStorage.setItem(LOG_OUT_ITEM, name);
  } catch {
    // Where nothing may be stored, the drafts of other tabs end with their pages.
  }
}

/** Forgets the drafts of this tab where another one logged out while this one was closed, asleep or without a connection. */
function syncLogOuts(): void {
  try {
    const latest = localStorage.getItem(LOG_OUT_ITEM);
    if (latest === sessionStorage.getItem(LOG_OUT_ITEM)) return;
    clearDrafts();
    if (latest !== null) sessionStorage.setItem(LOG_OUT_ITEM, latest);
  } catch {
    // Nothing is stored that could be forgotten.
  }
}

// The event comes from other tabs; a page that the browser kept aside has missed it.
if (typeof window !== "undefined") {
  syncLogOuts();
  window.addEventListener("storage", syncLogOuts);
  window.addEventListener("pageshow", syncLogOuts);
}

/** Forgets every draft of this tab. */
function clearDrafts(): void {
  for (const [key, all] of listeners) {
    if (current.has(key)) for (const listener of all) listener(null);
  }
  current.clear();
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
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
    // It was not written either.
  }
}
