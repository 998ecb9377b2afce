/** Maximum number of images loaded at once. Browsers open six connections per server, and user actions need a free one. */
const CONCURRENCY = 3;
/** An image that takes longer than this gives up its slot, though it may still load; in milliseconds. */
const MAX_SLOT_MS = 12_000;

const waiting: (() => void)[] = [];
let activeCount = 0;

/** Calls `begin` when a slot is free. The returned function releases the slot, or leaves the queue. */
export function enqueueImageLoad(begin: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const start = (): void => {
    activeCount++;
    timer = setTimeout(release, MAX_SLOT_MS);
    begin();
  };
  const release = (): void => {
    if (isOver) return;
    isOver = true;
    if (timer === undefined) return void waiting.splice(waiting.indexOf(start), 1);
    clearTimeout(timer);
    activeCount--;
    waiting.shift()?.();
  };
  if (activeCount < CONCURRENCY) start();
  else waiting.push(start);
  return release;
}
