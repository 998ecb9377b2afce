export type ToastInput = {
  /** One sentence: what happened, and what to do next. */
  readonly text: string;
  readonly kind?: "note" | "good" | "problem";
  /** A follow-up action, such as Undo. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
  /** Milliseconds; 6,000 by default, 10,000 with an action or for a problem. */
  readonly timeout?: number;
};

export type Toast = ToastInput & { readonly id: string; readonly timeout: number };

/** Maximum number shown; older ones are removed. */
const MAX_TOASTS = 3;

let shown: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

/** Shows a notification at the bottom of the page and returns its id. Can be called from anywhere. */
export function showToast(input: ToastInput): string {
  count += 1;
  const isLong = input.action !== undefined || input.kind === "problem";
  const toast = { ...input, id: `toast-${count}`, timeout: input.timeout ?? (isLong ? 10_000 : 6_000) };
  // A repeated message replaces the earlier one.
  setShown([...shown.filter(({ text, action }) => text !== toast.text || action !== undefined), toast].slice(-MAX_TOASTS));
  return toast.id;
}

export const closeToast = (id: string): void => setShown(shown.filter((toast) => toast.id !== id));

export const getToasts = (): readonly Toast[] => shown;

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setShown(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
