import { Element } from "linkedom/worker";

/** The processor time for a DOM tree is used up. */
export class BudgetError extends Error {}

/** The thread's CPU time is read once per this many calls, because reading it takes about a microsecond, as long as a short walk. */
const CALLS_PER_CHECK = 16;

/** `endsAt`: CPU time of this thread at which the budget is used up, in microseconds; null if there is no budget. */
const state = { endsAt: null as number | null, isUsedUp: false, calls: 0 };

const getCpuTimeUs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

export function checkBudget(): void {
  if (state.endsAt === null) return;
  if (!state.isUsedUp && ++state.calls % CALLS_PER_CHECK === 0) state.isUsedUp = getCpuTimeUs() > state.endsAt;
  if (state.isUsedUp) throw new BudgetError("The page's tree takes too long to read.");
}

/**
 * Runs `work` with `ms` milliseconds of this thread's processor time. After that, every walk over a DOM tree throws `BudgetError`, even
 * if `work` catches it. Time used by other threads does not count. Calls must not be nested.
 */
export function withCpuBudget<Result>(ms: number, work: () => Result): Result {
  Object.assign(state, { endsAt: getCpuTimeUs() + ms * 1_000, isUsedUp: false, calls: 0 });
  try {
    return work();
  } finally {
    state.endsAt = null;
  }
}

/**
 * Checks the budget in `textContent` and `querySelectorAll`, which take time proportional to the subtree. What reads a page block by block
 * calls `checkBudget` itself.
 */
function instrumentDom(): void {
  const element = Element.prototype as object;
  const parent = Object.getPrototypeOf(element) as { querySelectorAll(this: unknown, selector: string): unknown };
  const text = Object.getOwnPropertyDescriptor(element, "textContent");
  const select = parent.querySelectorAll;
  if (text?.get === undefined || typeof select !== "function") throw new Error("The installed version of linkedom is not supported.");
  const readText = text.get;
  Object.defineProperty(element, "textContent", {
    ...text,
    get(this: unknown) {
      checkBudget();
      return readText.call(this) as string;
    },
  });
  parent.querySelectorAll = function querySelectorAll(selector) {
    checkBudget();
    return select.call(this, selector);
  };
}

instrumentDom();
