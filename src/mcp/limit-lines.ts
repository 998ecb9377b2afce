import { Transform } from "node:stream";

const NEWLINE = 0x0a;

/**
 * Passes lines on, and cuts them to `maxBytes`, so that no more than that waits for the end of a line. A message that was cut is not valid
 * JSON any more. `onCut` is called once for each.
 */
export function limitLines(maxBytes: number, onCut: () => void): Transform {
  /** Bytes of the current line so far. */
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length;) {
        const newline = chunk.indexOf(NEWLINE, from);
        const end = newline < 0 ? chunk.length : newline;
        const room = Math.max(0, maxBytes - length);
        if (room > 0) this.push(chunk.subarray(from, Math.min(end, from + room)));
        if (length <= maxBytes && length + end - from > maxBytes) onCut();
        length += end - from;
        from = end;
        if (newline < 0) continue;
        this.push(chunk.subarray(newline, newline + 1));
        length = 0;
        from++;
      }
      done();
    },
  });
}
