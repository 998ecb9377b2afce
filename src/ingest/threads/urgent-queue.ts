import { createFairQueue, type FairQueue } from "#runtime/turns/fair-queue.ts";

/** Urgent items that go first while another item waits. */
const MAX_URGENT_IN_A_ROW = 3;

/**
 * Creates a queue in which urgent items go first, and in which the others still get every fourth turn. Both are fair among their owners.
 */
export function createUrgentQueue<Item>(isUrgent: (item: Item) => boolean): Pick<FairQueue<Item>, "add" | "take" | "remove" | "clear"> {
  const urgent = createFairQueue<Item>();
  const others = createFairQueue<Item>();
  let inARow = 0;
  return {
    add: (owner, item) => (isUrgent(item) ? urgent : others).add(owner, item),
    take(mayStart) {
      const isOthersTurn = inARow >= MAX_URGENT_IN_A_ROW;
      const [first, second] = isOthersTurn ? [others, urgent] : [urgent, others];
      const item = first.take(mayStart) ?? second.take(mayStart);
      if (item !== undefined) inARow = isUrgent(item) && others.size > 0 ? inARow + 1 : 0;
      return item;
    },
    remove: (item) => urgent.remove(item) || others.remove(item),
    clear: () => [...urgent.clear(), ...others.clear()],
  };
}
