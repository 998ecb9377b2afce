import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "#cli/commands/all.ts";
import { runCommand } from "../e2e/support/commands.ts";

const folder = mkdtempSync(join(tmpdir(), "tessera-completion-"));
const nouns = [...new Set(COMMANDS.map(({ name }) => name.split(" ")[0]!))];

/** What follows a line, of which the last word is being typed. */
const CASES: readonly (readonly [line: string, words: readonly string[]])[] = [
  ["", [...nouns, "help"]],
  ["webh", ["webhook"]],
  ["key ", ["create", "list", "revoke"]],
  ["key cr", ["create"]],
  ["key create --", ["--name", "--board", "--permission", "--expires", "--budget", "--webhooks", "--json", "--business", "--help"]],
  ["key create --permission ", ["read", "ask", "write", "inbound"]],
  ["key create --name list --permission i", ["inbound"]],
  ["backups set --every ", ["off", "day", "week"]],
  ["--business biz_1 board ", ["list", "create"]],
  ["help webhook r", ["rotate", "redeliver"]],
  ["completion ", ["bash", "zsh"]],
  ["backup tessera-b", ["tessera-backup.sqlite"]],
  ["export brd_1 tessera-b", ["tessera-backup.sqlite"]],
];

async function writeScript(shell: string, file: string): Promise<void> {
  const { code, stdout, stderr } = await runCommand({}, "completion", shell);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  writeFileSync(file, stdout);
}

beforeAll(() => writeFileSync(join(folder, "tessera-backup.sqlite"), ""));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => writeScript("bash", join(folder, "tessera.bash")));

test.each(CASES)('completion in bash lists the words after "tessera %s"', (line, words) => {
  const script = 'source ./tessera.bash; COMP_WORDS=(tessera "$@"); COMP_CWORD=$#; _tessera; printf "%s\\n" "${COMPREPLY[@]}"';
  const ended = spawnSync("bash", ["--norc", "-c", script, "bash", ...line.split(" ")], { cwd: folder, encoding: "utf8" });
  expect(ended.stderr).toBe("");
  expect(ended.stdout.trim().split("\n").toSorted()).toEqual([...words].toSorted());
});

test("completion in bash is registered for the installed commands, and for a name of one's own", async () => {
  expect((await runCommand({}, "completion", "bash")).stdout).toContain("complete -F _tessera tessera-server tessera\n");
  const own = await runCommand({ TESSERA_COMMAND: "boards" }, "completion", "bash");
  expect(own.stdout).toContain("complete -F _tessera tessera-server tessera boards\n");
});

/** Types lines with two tabs in an interactive zsh, and prints the screen after each. */
const ZSH = `
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PS1='> '; stty cols 250 rows 100; fpath=($PWD/functions \\$fpath); autoload -U compinit; compinit -D -u; LISTMAX=1000; setopt nolistbeep; echo rea''dy"
screen=""
read_until() { local end=$((SECONDS + 15)); until [[ $screen == *$1* ]] || ((SECONDS > end)); do zpty -rt shell part && screen+=$part || sleep 0.02; done }
read_until ready
for line in "$@"; do
  screen=""
  zpty -w -n shell "tessera $line"$'\\t\\t'
  sleep 0.7
  while zpty -rt shell part; do screen+=$part; done
  print -r -- "$screen"$'\\x00'
  zpty -w -n shell $'\\x15\\x03'
  sleep 0.1
  while zpty -rt shell part; do :; done
done
zpty -d shell
`;

/** Zsh is not needed to develop Tessera, and package.json can't bring it. */
const hasZsh = spawnSync("zsh", ["--version"]).status === 0;

test("completion in zsh has a function for every command", async () => {
  const { stdout } = await runCommand({}, "completion", "zsh");
  expect(stdout).toMatch(/^#compdef tessera-server tessera\n/);
  for (const { name } of COMMANDS) expect(stdout).toContain(`'/${name.replace(" ", "/").split("/")[0]}')`);
  if (!hasZsh) return;
  mkdirSync(join(folder, "functions"));
  await writeScript("zsh", join(folder, "functions/_tessera"));
  const ended = spawnSync("zsh", ["-f", "-c", ZSH, "zsh", ...CASES.map(([line]) => line)], { cwd: folder, encoding: "utf8" });
  const screens = ended.stdout.split("\0");
  for (const [index, [line, words]] of CASES.entries()) {
    // Removes the sequences that move the cursor.
    const shown = screens[index]!.replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, "");
    for (const word of words) expect(shown, `after "tessera ${line}"`).toContain(word);
  }
}, 60_000);

test.each(["fish", ""])("there is no completion for %j", async (shell) => {
  const { code, stdout, stderr } = await runCommand({}, "completion", shell);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("bash and zsh");
});
