/** The parts of a version such as `0.2.0`; undefined if the text is none. Versions before a release, such as `0.2.0-rc.1`, are not made. */
export function parseVersion(text: string): readonly [major: number, minor: number, patch: number] | undefined {
  const parts = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/.exec(text);
  return parts === null ? undefined : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

/** Negative if `a` is the earlier version. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parseVersion(a) ?? [], parseVersion(b) ?? []];
  const index = first.findIndex((part, position) => part !== second[position]);
  return index === -1 ? 0 : (first[index] ?? 0) - (second[index] ?? 0);
}

/** The versions that may follow: the next patch, minor and major version. */
export function listNextVersions(version: string): readonly string[] {
  const [major, minor, patch] = parseVersion(version) ?? [0, 0, 0];
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
}

/** Where the version is written, relative to the root: the only place. Packages get it when they are packed. */
export const VERSION_FILE = "src/domain/core/version.ts";

const DECLARATION = /^(export const VERSION = ")([^"]*)(";)$/m;

/** The version that the text of the version file declares; undefined if it declares none. */
export const readVersion = (text: string): string | undefined => DECLARATION.exec(text)?.[2];

/** The text of the version file with another version. */
export const replaceVersion = (text: string, version: string): string => text.replace(DECLARATION, `$1${version}$3`);
