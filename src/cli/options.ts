import { getErrorMessage } from "#domain/core/errors/error.ts";
import { parseDuration } from "#service/settings/keys.ts";
import { type Invocation, UsageError } from "./command.ts";

/** Returns the text of an option, or undefined without it. Refuses an empty text, since an unset variable must not widen a key's access. */
export function textOption(invocation: Invocation, name: string): string | undefined {
  const value = invocation.options[name];
  if (typeof value !== "string") return undefined;
  if (value.trim() === "") throw new UsageError(`--${name} is empty. Give it a value, or leave it out.`);
  return value.trim();
}

/** Returns the texts of an option that may be given several times. */
export function textOptions(invocation: Invocation, name: string): readonly string[] {
  const values = invocation.options[name];
  const texts = Array.isArray(values) ? (values as readonly string[]) : [];
  if (texts.some((text) => text.trim() === "")) throw new UsageError(`--${name} is empty. Give it a value, or leave it out.`);
  return texts;
}

/** Returns an option as a whole number of at least 1, or undefined without it. */
export function countOption(invocation: Invocation, name: string): number | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`--${name} must be a whole number of at least 1, such as 100000, but is "${text}".`);
  return Number(text);
}

/** Returns an option as a whole number from `min` to `max`, or undefined without it. */
export function numberOption(invocation: Invocation, name: string, min: number, max: number): number | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, but is "${text}".`);
  return number;
}

/** Returns an option as a duration in milliseconds, or undefined without it. */
export function durationOption(invocation: Invocation, name: string): number | undefined {
  const text = textOption(invocation, name);
  return text === undefined ? undefined : readDuration(text, (problem) => `--${name}: ${problem}`);
}

/** Reads a duration in milliseconds. `describe` turns the problem with a wrong one into the message of the usage error. */
function readDuration(text: string, describe: (problem: string) => string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new UsageError(describe(getErrorMessage(error)));
  }
}

/** Reads names of events that are separated by commas; undefined without the option. */
export function eventsOption<E extends string>(invocation: Invocation, known: readonly E[]): E[] | undefined {
  return textOption(invocation, "events")
    ?.split(",")
    .map((word) => {
      const event = known.find((type) => type === word.trim());
      if (event === undefined) throw new UsageError(`--events takes ${known.join(", ")}, separated by commas.`);
      return event;
    });
}

/** Reads `--since`: a time, or a duration before now. Returns the function of now that returns it; undefined without the option. */
export function sinceOption(invocation: Invocation): ((now: number) => number) | undefined {
  const text = textOption(invocation, "since");
  if (text === undefined) return undefined;
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))) return () => Date.parse(text);
  const durationMs = readDuration(
    text,
    () => `--since takes a time such as 2026-01-31T12:00:00Z, or a duration such as 2h, not "${text}".`,
  );
  return (now) => now - durationMs;
}
