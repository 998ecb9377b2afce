import { Element } from "linkedom/worker";

/** The time for walking a tree is spent. */
export class BudgetError extends Error {}

/** Reading the clock of the thread takes about a microsecond, as long as a short walk. */
const CALLS_PER_LOOK = 16;

/** Processor time of this thread at which the budget is spent, in microseconds; null where there is none. */
const state = { endsAt: null as number | null, isSpent: false, calls: 0 };

const usedUs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

function spend(): void {
  if (state.endsAt === null) return;
  if (!state.isSpent && ++state.calls % CALLS_PER_LOOK === 0) state.isSpent = usedUs() > state.endsAt;
  if (state.isSpent) throw new BudgetError("The page's tree takes too long to read.");
}

/**
 * Runs `work` with so much processor time of this thread, in milliseconds: after it, every walk over a tree throws `BudgetError`, so that
 * `work` ends however many times it catches. What other threads take from this one is not counted. Calls don't nest.
 */
export function withCpuBudget<Result>(ms: number, work: () => Result): Result {
  Object.assign(state, { endsAt: usedUs() + ms * 1_000, isSpent: false, calls: 0 });
  try {
    return work();
  } finally {
    state.endsAt = null;
  }
}

/**
 * All of our own rules and Readability look at a tree by these two, and both take time in proportion to what is below the element.
 * So does every quadratic or worse use of them, whatever the shape of the page.
 */
function watchWalks(): void {
  const element = Element.prototype as object;
  const parent = Object.getPrototypeOf(element) as { querySelectorAll(this: unknown, selector: string): unknown };
  const text = Object.getOwnPropertyDescriptor(element, "textContent");
  const select = parent.querySelectorAll;
  if (text?.get === undefined || typeof select !== "function") throw new Error("The DOM is not the one that is pinned.");
  const readText = text.get;
  Object.defineProperty(element, "textContent", {
    ...text,
    get(this: unknown) {
      spend();
      return readText.call(this) as string;
    },
  });
  parent.querySelectorAll = function querySelectorAll(selector) {
    spend();
    return select.call(this, selector);
  };
}

watchWalks();
