/** Pictures that are loaded at once. Browsers open six connections to a server, and what people do must find one of them free. */
const CONCURRENCY = 3;
/** A picture that is not there by then gives its turn away, though it may still come. */
const HELD_MS = 12_000;

const waiting: (() => void)[] = [];
let held = 0;

/** Calls `begin` when it is this picture's turn; what is answered ends the turn, or the wait for it. */
export function takePictureTurn(begin: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const enter = (): void => {
    held++;
    timer = setTimeout(end, HELD_MS);
    begin();
  };
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    if (timer === undefined) return void waiting.splice(waiting.indexOf(enter), 1);
    clearTimeout(timer);
    held--;
    waiting.shift()?.();
  };
  if (held < CONCURRENCY) enter();
  else waiting.push(enter);
  return end;
}
