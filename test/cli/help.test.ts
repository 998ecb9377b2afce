import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readArguments } from "#cli/arguments.ts";
import { COMMANDS } from "#cli/commands/all.ts";
import { VERSION } from "#domain/core/version.ts";
import { updateCommandsPage } from "../../scripts/write/commands.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { tessera } from "../e2e/support/process.ts";

const run = (...args: string[]) => runCommand({ DATA_DIR: "/nonexistent/data" }, ...args);
const COLOUR = "\u001b[";

describe("help", () => {
  test.each(COMMANDS.map(({ name }) => name))("the help of %s has usage, options and two examples, in three forms", async (name) => {
    const help = await run(...name.split(" "), "--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    const command = COMMANDS.find((each) => each.name === name)!;
    expect(help.stdout).toContain(command.summary);
    expect(help.stdout).toContain(`Usage: tessera ${name}`);
    for (const { name: parameter } of command.parameters ?? []) expect(help.stdout).toContain(`  ${parameter} `);
    for (const option of [...Object.keys(command.options ?? {}), "json", "business", "help"])
      expect(help.stdout).toContain(`  --${option}`);
    const [, examples = ""] = help.stdout.split("Examples\n");
    expect(examples.trim().split("\n").length).toBeGreaterThanOrEqual(2);
    expect(await run("help", ...name.split(" "))).toEqual(help);
    expect(await run("-h", ...name.split(" "))).toEqual(help);
  });

  test.each(COMMANDS.flatMap((command) => command.examples.map((example) => [command.name, example] as const)))(
    "the example of %s can be called: %s",
    (name, example) => {
      const command = COMMANDS.find((each) => each.name === name)!;
      const [, after = example] = example.split(/\{program\} (?=\w)/);
      const words = [...after.replace(/[<>)].*$/, "").matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      expect(words.join(" ")).toMatch(new RegExp(`^${name}\\b`));
      const { isComplete, values } = readArguments(words, command);
      expect(isComplete).toBe(true);
      for (const [option, { isRequired, choices }] of Object.entries(command.options ?? {})) {
        if (isRequired) expect(values[option]).toBeDefined();
        if (choices !== undefined && values[option] !== undefined) expect(choices).toContain(values[option]);
      }
    },
  );

  test("the help of a noun shows all of its commands", async () => {
    for (const args of [
      ["help", "key"],
      ["key", "--help"],
    ]) {
      const { code, stdout } = await run(...args);
      expect(code).toBe(0);
      for (const usage of ["key create --name NAME", "key list", "key revoke ID"]) expect(stdout).toContain(`Usage: tessera ${usage}`);
    }
    expect((await run("backups", "--help")).stdout).toMatch(/Usage: tessera backups set[^]*Usage: tessera backups\b/);
  });

  test("the help of the program groups commands by noun, under the name that was called", async () => {
    const { stdout } = await tessera({}, "--help");
    for (const title of ["Server", "Businesses and boards", "API keys", "Inbound addresses", "Members", "Webhook", "Database and backups"])
      expect(stdout).toMatch(new RegExp(`^${title}\\n {2}tessera `, "m"));
    expect(stdout.split("\n").every((line) => line.length <= 100)).toBe(true);
    const packaged = await tessera({ TESSERA_COMMAND: "tessera-server" }, "--help");
    expect(packaged.stdout).toBe(stdout.replaceAll("tessera ", "tessera-server "));
    const clone = await tessera({ npm_package_name: "tessera", npm_lifecycle_event: "tessera" }, "--help");
    expect(clone.stdout).toContain("Usage: npm run -s tessera -- COMMAND");
    expect(clone.stdout).toMatch(/^ {2}key create {2}/m);
    expect((await tessera({ npm_package_name: "mine", npm_lifecycle_event: "start" }, "--help")).stdout).toBe(stdout);
  });

  test("the page of the command line is generated from the commands", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/reference/command-line.md"), "utf8");
    // Written by `npm run commands`.
    expect(updateCommandsPage(page)).toBe(page);
    expect(page).toContain("`key create --name NAME [options]`");
  });
});

test("--version prints the version", async () => {
  expect(await run("--version")).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
  expect(await run("--version", "--json")).toMatchObject({ code: 0, stdout: `{"version":"${VERSION}"}\n` });
});

test.each([
  [["bakup", "x.sqlite"], 'There is no command "bakup". Did you mean "backup"? See "tessera --help".'],
  [["key", "creat", "--name", "x"], 'There is no command "key creat". Did you mean "key create"? See "tessera --help".'],
  [["keys", "list"], 'There is no command "keys list". Did you mean "key list"? See "tessera --help".'],
  [["webhook", "delivereis"], 'There is no command "webhook delivereis". Did you mean "webhook deliveries"? See "tessera --help".'],
  [["doktor", "--json"], 'There is no command "doktor". Did you mean "doctor"? See "tessera --help".'],
  [["key", "foo"], 'There is no command "key foo". "key" has "key create", "key list", "key revoke". See "tessera key --help".'],
  [["help", "key", "create", "x"], '"x" is one word too many: "tessera help key create" explains the command.'],
  [["help", "doctor", "x"], '"x" is one word too many: "tessera help doctor" explains the command.'],
  [["key\u001b[31m\nx"], 'There is no command "key\\u001b[31m\\u000ax". See "tessera --help".'],
  [["board", "list", "--\u009b2J"], '"board list" has no option --\\u009b2J.'],
  [["help", "bord"], 'There is no command "bord". Did you mean "board"? See "tessera --help".'],
  [["xyzzy"], 'There is no command "xyzzy". See "tessera --help".'],
  [["--hlep"], 'There is no option --hlep without a command. Did you mean --help? See "tessera --help".'],
  [["--frobnicate"], 'There is no option --frobnicate without a command. See "tessera --help".'],
  [["--json"], '--json needs a command. See "tessera --help".'],
  [["key"], '"key" needs an action: "key create", "key list", "key revoke". See "tessera key --help".'],
  [
    ["key", "create", "--name", "x", "--bord", "y"],
    '"key create" has no option --bord. Did you mean --board? See "tessera key create --help".',
  ],
  [["board", "list", "--jsn"], '"board list" has no option --jsn. Did you mean --json? See "tessera board list --help".'],
  [["board", "list", "-x"], '"board list" has no option -x. See "tessera board list --help".'],
  [["board", "list", "--json=yes"], '--json takes no value. See "tessera board list --help".'],
  [["key", "create", "--name"], "--name needs a value, as in --name NAME."],
  [["board", "list", "--business"], "--business needs a value, as in --business ID."],
  [["export", "brd_x"], "Usage: tessera export BOARD FILE"],
  [["import", "Copy"], "Usage: tessera import NAME FILE"],
  [["export", "brd_x", "my", "board.zip"], '"board.zip" is one argument too many: the usage is tessera export BOARD FILE'],
  [["board", "list", "brd_x"], '"brd_x" is one argument too many: the usage is tessera board list'],
  [
    ["backup", "set", "--keep-daily", "7"],
    'There is no command "backup set". Did you mean "backups set"? Write ./set for a file of that name. See "tessera backups set --help".',
  ],
])("a misspelt word is answered with the nearest one: %j", async (args, sentence) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test.each([
  [{}, false],
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "0" }, false],
  [{ NO_COLOR: "1" }, false],
])("the output to a pipe with %j has colours: %s", async (environment, isColoured) => {
  const help = await runCommand(environment, "help");
  expect(help.stdout.includes(COLOUR)).toBe(isColoured);
  expect((await runCommand(environment, "doctor", "--json")).stdout).not.toContain(COLOUR);
});
