import { inspect, parseArgs } from "node:util";
import { runTarget } from "./support/target.ts";
import { TARGETS } from "./targets/all.ts";

const USAGE = `npm run fuzz -- [--minutes N] [--target NAME]… [--seed N] [--from ROUND] [--rounds N]
  --minutes  how long each target runs; 10 by default
  --target   one of ${TARGETS.map(({ name }) => name).join(", ")}; all of them by default
  --seed     determines all input; by default a new one, which is printed
  --from, --rounds  repeat some rounds of a seed
`;

const parseNumber = (text: string | undefined, fallback: number): number => {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isFinite(value) || value < 0) throw new Error(`"${text}" is not a number.\n${USAGE}`);
  return value;
};

/** `npm run fuzz`: runs the fuzzers for a long time; the exit code is 1 if one found a failure. */
export async function run(args: readonly string[]): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: text, target: { ...text, multiple: true }, seed: text, from: text, rounds: text, help: { type: "boolean" } },
  });
  if (values.help === true) return void process.stdout.write(USAGE);
  const wanted = values.target ?? TARGETS.map(({ name }) => name);
  const seed = parseNumber(values.seed, Date.now() % 1_000_000);
  const ms = parseNumber(values.minutes, 10) * 60_000;
  const options = { seed, ms, from: parseNumber(values.from, 0), rounds: parseNumber(values.rounds, Number.MAX_SAFE_INTEGER) };
  for (const name of wanted) {
    const target = TARGETS.find((one) => one.name === name);
    if (target === undefined) throw new Error(`There is no target "${name}".\n${USAGE}`);
    process.stdout.write(`${name}: seed ${seed} … `);
    try {
      process.stdout.write(`${await runTarget(target, options)} rounds without a failure\n`);
    } catch (error) {
      process.stdout.write(`FAILED\n${inspect(error, { depth: 5 })}\n`);
      process.exitCode = 1;
    }
  }
}
