import { type Logger, pino } from "pino";

/** Keys, webhook secrets and credentials in addresses never reach a line, wherever they came from. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/tsr_[0-9A-Za-z]{8,}/g, "tsr_[hidden]"],
  [/whsec_[0-9A-Za-z+/=]{8,}/g, "whsec_[hidden]"],
  [/(https?:\/\/)[^\s/@"\\]+@/g, "$1[hidden]@"],
];

export const hideSecrets = (line: string): string =>
  SECRETS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line);

/** Structured lines on stdout; on a terminal they are pretty. */
export async function createLog(level: string): Promise<Logger> {
  // Loaded only for a person: it is 8 MB that a service never needs.
  const target = process.stdout.isTTY
    ? (await import("pino-pretty")).default({ colorize: true, ignore: "pid,hostname" })
    : pino.destination({ dest: 1, sync: false });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: hideSecrets },
    },
    target,
  );
}
