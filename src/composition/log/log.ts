import { Writable } from "node:stream";
import { type Logger, pino, stdSerializers } from "pino";
import { type Config, SETTINGS } from "#config";
import type { RequestLine } from "#domain/core/system.ts";
import { type LogDestination, createLogDestination } from "./log-destination.ts";
import { createRequestLines, createTimestamp } from "../tuning/request-lines.ts";

/** The serializer joins the messages of causes with a colon, which does not follow the full stop of a sentence. */
export function presentError(error: Error) {
  const shown = stdSerializers.err(error);
  return typeof shown?.message === "string" ? { ...shown, message: shown.message.replaceAll(".: ", ": ") } : shown;
}

/**
 * Secrets that are recognised by their form, wherever a line has them from: API keys; tokens of sessions, set-up links and invitations;
 * webhook secrets; keys and tokens of known providers; credentials in headers, addresses and the queries of addresses.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/tsr_[0-9A-Za-z]{8,}/g, "tsr_[hidden]"],
  [/ts([scj])_[\w-]{8,}/g, "ts$1_[hidden]"],
  [/whsec_[0-9A-Za-z+/=]{8,}/g, "whsec_[hidden]"],
  [/\b(sk|pk|rk|gsk|xai|hf|r8|gh[opsur]|github_pat|xox[abprs])([-_])[\w-]{16,}/g, "$1$2[hidden]"],
  [/\bAIza[\w-]{30,}/g, "AIza[hidden]"],
  [/\b(Bearer|Basic)(\s+|%20)(?=[\w.~+/%-]*[\d=_])[\w.~+/=%-]{6,}/gi, "$1$2[hidden]"],
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"\\]+@/gi, "$1[hidden]@"],
  [/([?&;#](?:[\w-]*[_-])?(?:key|token|secret|signature|sig|password|passwd|pwd|auth|code|jwt)=)[^\s&#"'\\<>]+/gi, "$1[hidden]"],
];

/** A quick check before the patterns: every secret matches it, and few lines do. */
const MAY_HOLD_SECRET = /ts[rscj]_|whsec_|:\/\/|[?&;#][\w-]+=|(?:sk|pk|rk|gsk|xai|hf|r8|gh[opsur]|pat|xox[abprs])[-_]|AIza|Bearer|Basic/i;

/** Shorter values are too likely to be a part of other text, and protect nothing. */
const MIN_SECRET_LENGTH = 8;

/** Returns a pattern of the text as it is, and inside JSON, where marks have any number of backslashes before them. */
const toPattern = (text: string): string =>
  text.replaceAll(/[\\"]+|[$()*+.?[\]^{|}/-]/g, (mark) =>
    /[\\"]/.test(mark) ? (mark.includes('"') ? '[\\\\"]*?"' : "\\\\+") : `\\${mark}`,
  );

/** Lists the values of the settings that are secret. */
function listSecrets(config: Config): string[] {
  const names = Object.entries(SETTINGS).flatMap(([name, setting]) => ("secret" in setting ? [name as keyof Config] : []));
  // The password of the database's address occurs without the address too.
  const password = URL.parse(config.databaseUrl)?.password ?? "";
  return [...names.map((name) => String(config[name])), password, decodeURIComponent(password)];
}

/** Creates a function that hides secrets in a line of JSON: those of the settings by their `values`, and others by their form. */
export function createSecretHider(values: readonly string[]): (line: string) => string {
  const forms = values
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .flatMap((value) => [value, encodeURIComponent(value), Buffer.from(value).toString("base64")])
    // The longest first, since one secret may contain another.
    .sort((a, b) => b.length - a.length);
  const known = forms.length === 0 ? null : new RegExp([...new Set(forms)].map((form) => toPattern(form)).join("|"), "g");
  return (line) => {
    const text = known === null ? line : line.replace(known, "[hidden]");
    return MAY_HOLD_SECRET.test(text) ? SECRETS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text) : text;
  };
}

export type ServiceLog = {
  readonly log: Logger;
  /** Writes the line of one request. */
  readonly logRequest: (line: RequestLine) => void;
  /** How many lines could not be written since the start. */
  readonly droppedLines: () => number;
};

/**
 * Writes JSON lines to standard output, or readable ones on a terminal or by `LOG_FORMAT=text`, without secrets. Lines that can't be written are dropped and
 * counted.
 */
export async function createLog(config: Config): Promise<ServiceLog> {
  const hideSecrets = createSecretHider(listSecrets(config));
  const timestamp = createTimestamp();
  const requests = createRequestLines((text) => target.write(text), timestamp);
  const destination = createLogDestination({ fd: 1, describeLoss: (count) => formatLostLines(count, timestamp()) });
  // After the listener of `requests`, which writes to it.
  process.once("exit", destination.flushSync);
  // Loaded only for text: it takes 8 MB that a service does not need.
  const isText = config.logFormat === "text" || (config.logFormat === "auto" && process.stdout.isTTY);
  const target = isText
    ? (await import("pino-pretty")).default({ colorize: process.stdout.isTTY, ignore: "pid,hostname", destination: asStream(destination) })
    : destination;
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp,
      serializers: { err: presentError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite(line) {
          // Keeps the order of lines.
          requests.flush();
          return hideSecrets(line);
        },
      },
    },
    target,
  );
  const droppedLines = destination.dropped;
  const write = isText ? ({ level, ...line }: RequestLine): void => log[level](line, "request") : requests.add;
  return { log, logRequest: (line) => void (log.isLevelEnabled(line.level) && write(line)), droppedLines };
}

const asStream = (destination: LogDestination): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      destination.write(chunk.toString());
      done();
    },
  });

const formatLostLines = (count: number, time: string): string =>
  `{"level":"warn"${time},"dropped":${count},"msg":"Log lines were lost because they could not be written. Check the disk or the reader of standard output."}\n`;
