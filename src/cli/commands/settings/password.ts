import type { Readable, Writable } from "node:stream";
import { UsageError } from "../../command.ts";

/** Maximum size of standard input for a password. */
const MAX_PASSWORD_BYTES = 4_096;

/** The keys of a terminal in raw mode, by the characters that they send. */
const ENTER = /[\r\n\u0004]/;
const CANCEL = "\u0003";
const ERASE = /[\b\u007f]/;
/** Sequences of arrow and function keys, and other control characters, are no part of a password. */
const IGNORED = /^(?:\u001b\[[\d;]*[A-Za-z~]|\u001bO.|\p{Cc})/u;

/** A terminal, such as standard input. */
export type Terminal = Readable & { readonly isTTY?: boolean; setRawMode(isRaw: boolean): unknown };

/** Reads the first line of standard input, so that passwords are not visible in the process list or the shell's history. */
export async function readPassword(input: AsyncIterable<Uint8Array | string> = process.stdin): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MAX_PASSWORD_BYTES) throw new UsageError("The password on standard input is too long.");
  }
  const [line = ""] = Buffer.concat(chunks).toString("utf8").split(/\r?\n/, 1);
  if (line === "") throw new UsageError("There is no password on standard input. Write it there, as in: … --password-stdin < file.");
  return line;
}

/** Asks twice for a new password, without showing it. Throws a usage error without a terminal, or if both differ. */
export async function askPassword(input: Terminal = process.stdin, output: Writable = process.stderr): Promise<string> {
  if (input.isTTY !== true)
    throw new UsageError("There is no terminal to ask for the password. Write it to standard input, with --password-stdin.");
  input.setEncoding("utf8");
  input.setRawMode(true);
  try {
    const password = await askHidden("New password: ", input, output);
    if ((await askHidden("The same again: ", input, output)) !== password)
      throw new UsageError("The two passwords differ. Nothing was changed.");
    return password;
  } finally {
    input.setRawMode(false);
    input.pause();
  }
}

/** Reads keys up to Enter. What a terminal sends after it is left for the next question. */
function askHidden(question: string, input: Terminal, output: Writable): Promise<string> {
  output.write(question);
  return new Promise((resolve, reject) => {
    let typed = "";
    const finish = (rest: string, settle: () => void): void => {
      input.off("data", onData).off("end", onEnd).pause();
      if (rest !== "") input.unshift(rest, "utf8");
      output.write("\n");
      settle();
    };
    const onEnd = (): void => finish("", () => reject(new UsageError("The terminal was closed. Nothing was changed.")));
    const onData = (chunk: string): void => {
      for (let rest = chunk; rest !== "";) {
        const [key = ""] = rest;
        if (key === CANCEL) return finish("", () => reject(new UsageError("Cancelled. Nothing was changed.")));
        if (ENTER.test(key)) return finish(rest.slice(key.length), () => resolve(typed));
        if (ERASE.test(key)) typed = [...typed].slice(0, -1).join("");
        const ignored = IGNORED.exec(rest)?.[0];
        if (ignored === undefined) typed += key;
        rest = rest.slice((ignored ?? key).length);
      }
    };
    input.on("data", onData).on("end", onEnd).resume();
  });
}
