import { expect, it } from "vitest";
import { limitLines } from "#mcp/limit-lines.ts";

/** Returns what passes of `chunks`, and how many lines were cut. */
async function pass(maxBytes: number, chunks: readonly string[]): Promise<readonly [passed: string, cut: number]> {
  let cut = 0;
  const limited = limitLines(maxBytes, () => void cut++);
  const passed = limited.toArray() as Promise<Buffer[]>;
  for (const chunk of chunks) limited.write(chunk);
  limited.end();
  return [Buffer.concat(await passed).toString(), cut];
}

it.each([
  [["abc\ndefg\n"], "abc\ndefg\n", 0],
  [["abcd\nabcde\nab\n"], "abcd\nabcd\nab\n", 1],
  [["abc", "defgh", "ij", "k\nab", "\n", "\n"], "abcd\nab\n\n", 1],
  [["abcd", "\nabcd", "e", "f"], "abcd\nabcd", 1],
  [["abcde\nabcde\n"], "abcd\nabcd\n", 2],
])("lines of %j are cut to four bytes", async (chunks, passed, cut) => {
  expect(await pass(4, chunks)).toEqual([passed, cut]);
});
