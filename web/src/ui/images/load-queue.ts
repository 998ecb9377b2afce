/** Pictures that are loaded at once. Browsers open six connections to a server, and what people do must find one of them free. */
const CONCURRENCY = 3;
/** A picture that is not there by then gives its turn away, though it may still come. */
const MAX_SLOT_MS = 12_000;

const waiting: (() => void)[] = [];
let activeCount = 0;

/** Calls `begin` when it is this picture's turn; what is answered ends the turn, or the wait for it. */
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
