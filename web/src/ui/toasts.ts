export type ToastInput = {
  /** One sentence: what happened, and what to do if something is to be done. */
  readonly text: string;
  readonly kind?: "note" | "good" | "problem";
  /** A way back or onward, such as Undo. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
  /** Milliseconds; 6,000 unless told, 10,000 with an action or for a problem. */
  readonly timeout?: number;
};

export type Toast = ToastInput & { readonly id: string; readonly timeout: number };

/** Older ones go when there are more. */
const MAX_TOASTS = 3;

let shown: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

/** Shows a note at the foot of the page; answers its id. Can be called from anywhere. */
export function showToast(input: ToastInput): string {
  count += 1;
  const isLong = input.action !== undefined || input.kind === "problem";
  const toast = { ...input, id: `toast-${count}`, timeout: input.timeout ?? (isLong ? 10_000 : 6_000) };
  // The same words twice are one note, shown anew.
  setShown([...shown.filter(({ text, action }) => text !== toast.text || action !== undefined), toast].slice(-MAX_TOASTS));
  return toast.id;
}

export const closeToast = (id: string): void => setShown(shown.filter((toast) => toast.id !== id));

export const toastsNow = (): readonly Toast[] => shown;

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setShown(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
