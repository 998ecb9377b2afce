import { isIP } from "node:net";

/** A setting: the name of its environment variable, its default, its meaning, and how its text is parsed. */
export type Setting<T> = {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  /** Parses the text. Throws an `Error` whose message follows the name of the setting in a sentence. */
  readonly read: (text: string) => T;
  readonly secret?: true;
};

export const text = (name: string, fallback: string, meaning: string, secret?: true): Setting<string> => ({
  name,
  fallback,
  meaning,
  read: (value) => value,
  ...(secret === undefined ? {} : { secret }),
});

export const wholeNumber = (name: string, fallback: number, min: number, max: number, meaning: string): Setting<number> => ({
  name,
  fallback: String(fallback),
  meaning,
  read(value) {
    const number = Number(value);
    if (!Number.isSafeInteger(number) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, but is "${value}"`);
    }
    return number;
  },
});

export const oneOf = <T extends string>(name: string, fallback: T, choices: readonly T[], meaning: string): Setting<T> => ({
  name,
  fallback,
  meaning,
  read(value) {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`must be one of ${choices.filter((choice) => choice !== "").join(", ")}, but is "${value}"`);
    return found;
  },
});

export const listOf = (name: string, fallback: string, meaning: string): Setting<readonly string[]> => ({
  name,
  fallback,
  meaning,
  read: (value) =>
    value
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ""),
});

export const optionalUrl = (name: string, meaning: string): Setting<string> => ({
  name,
  fallback: "",
  meaning,
  read(value) {
    if (value !== "" && !/^https?:$/.test(URL.parse(value)?.protocol ?? "")) {
      throw new Error(`must be an http or https address, but is "${value}"`);
    }
    return value.replace(/\/+$/, "");
  },
});

/** A public address without a path, since the page and its links begin at the root of a host. */
export const optionalOrigin = (name: string, meaning: string): Setting<string> => ({
  name,
  fallback: "",
  meaning,
  read(value) {
    const url = URL.parse(value);
    if (value === "") return value;
    if (url === null || !/^https?:$/.test(url.protocol)) throw new Error(`must be an http or https address, but is "${value}"`);
    if (/[?#]/.test(value) || url.username !== "" || url.password !== "")
      throw new Error("must be a scheme, host and port alone, such as https://boards.example.com");
    if (url.pathname.replaceAll("/", "") !== "")
      throw new Error(
        `has the path ${url.pathname}, but Tessera needs a host of its own: give it a name such as https://boards.example.com`,
      );
    return url.origin;
  },
});

/** The parts of an origin. Apps and browser extensions have schemes of their own. */
const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/([^/?#@\s]+)\/?$/i;

/** Origins in the form that browsers send, separated by commas. */
export const listOfOrigins = (name: string, meaning: string): Setting<readonly string[]> => ({
  ...listOf(name, "", meaning),
  read: (value) => listOf(name, "", meaning).read(value).map(toOrigin),
});

function toOrigin(entry: string): string {
  if (entry.includes("*"))
    throw new Error(`has "${entry}", but origins are compared exactly: name each, such as https://app.example.com, separated by commas`);
  const [, scheme = "", host = ""] = ORIGIN.exec(entry) ?? [];
  const isWeb = /^https?$/i.test(scheme);
  const url = URL.parse(entry);
  if (scheme === "" || (isWeb && url === null))
    throw new Error(`has "${entry}", but an origin is a scheme, host and port alone, such as https://app.example.com`);
  return isWeb && url !== null ? url.origin : `${scheme}://${host}`.toLowerCase();
}

/** Whether the entry is an IP address, a network in CIDR notation, or the name of a range. */
export function isNetwork(entry: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(entry)) return true;
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  return family !== 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)));
}
