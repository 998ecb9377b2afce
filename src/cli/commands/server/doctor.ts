import { SETTINGS } from "#config";
import type { Check } from "../../doctor/check.ts";
import { type Command, print } from "../../command.ts";
import { type Style, createStyle, toPrintable, toPrintableLine } from "../../style.ts";

export const DOCTOR: Command = {
  name: "doctor",
  summary: "Checks settings, machine, storage, models and network guard.",
  details:
    "Prints every setting, and a table with what was found and how to mend it. The exit code is 1 if there is a problem; warnings do not count. Changes nothing.",
  examples: ["doctor", "doctor --json"],
  installation: "none",
  async run(invocation) {
    // Loaded here, since every other command would load all of it too.
    const { examine } = await import("../../doctor/examine.ts");
    const checks = await examine(invocation);
    const isHealthy = checks.every(({ state }) => state !== "problem");
    const settings = describeSettings();
    const style = createStyle(process.stdout);
    const lines = [
      ...settings.map(({ name, value, meaning }) => `${name.padEnd(28)} ${toPrintableLine(value).padEnd(20)} ${style.dim(meaning)}`),
      "",
      ...formatTable(checks, style),
    ];
    if (invocation.isJson) print(invocation, { ok: isHealthy, checks: checks.map(presentCheck), settings, results: checks }, []);
    // Not by `print`, which would escape the colours.
    else process.stdout.write(`${lines.join("\n")}\n`);
    return isHealthy ? 0 : 1;
  },
};

/** Returns a check in the form of version 0.1, which has no states. */
const presentCheck = ({ name, state, found, fix }: Check) => ({
  name,
  ok: state !== "problem",
  message: `${state === "warning" ? "warning: " : ""}${found}${fix === undefined ? "" : ` ${fix}`}`,
});

const STATE_WIDTH = "problem".length;

function formatTable(checks: readonly Check[], style: Style): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const colours = { ok: style.green, warning: style.yellow, problem: style.red };
  const indent = " ".repeat(STATE_WIDTH + width + 4);
  return checks.flatMap(({ name, state, found, fix }) => [
    `${colours[state](state.padEnd(STATE_WIDTH))}  ${name.padEnd(width)}  ${toPrintable(found).replaceAll("\n", `\n${indent}`)}`,
    ...(fix === undefined ? [] : [`${indent}${style.bold("Fix:")} ${toPrintable(fix)}`]),
  ]);
}

/** Lists the effective settings. Secrets are shown as "(set)". */
function describeSettings(): { readonly name: string; readonly value: string; readonly meaning: string }[] {
  return Object.values(SETTINGS).map((setting) => {
    const given = process.env[setting.name]?.trim() ?? "";
    const shown = "secret" in setting && given !== "" ? "(set)" : given;
    return {
      name: setting.name,
      value: shown === "" ? `(${setting.fallback === "" ? "none" : setting.fallback})` : shown,
      meaning: setting.meaning,
    };
  });
}
