/** A version of the changelog: `date` is empty for one that is neither dated nor marked as unreleased. */
type Entry = { readonly version: string; readonly date: string; readonly isUnreleased: boolean; readonly text: string };

const HEADING = /^## (\S+)(?: \(([^)]*)\))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

function readEntries(changelog: string): readonly Entry[] {
  return changelog
    .split(/^(?=## )/m)
    .filter((part) => part.startsWith("## "))
    .map((part) => {
      const end = part.indexOf("\n");
      const heading = HEADING.exec((end === -1 ? part : part.slice(0, end)).trim());
      const note = heading?.[2] ?? "";
      return {
        version: heading?.[1] ?? "",
        date: DATE.test(note) ? note : "",
        isUnreleased: note === "unreleased",
        text: end === -1 ? "" : part.slice(end),
      };
    });
}

/** What keeps the changelog from describing the version, as one sentence; undefined if nothing does. */
export function findChangelogProblem(changelog: string, version: string): string | undefined {
  const [first] = readEntries(changelog);
  if (first === undefined) return `CHANGELOG.md has no version; begin it with "## ${version} (unreleased)".`;
  if (first.version !== version)
    return `CHANGELOG.md begins with ${first.version === "" ? "a heading without a version" : first.version}; its first heading must be "## ${version} (unreleased)".`;
  if (first.date === "" && !first.isUnreleased)
    return `CHANGELOG.md has ${version} without a date; write "## ${version} (unreleased)", which the release replaces by the date.`;
  if (!/^- \S/m.test(first.text)) return `CHANGELOG.md lists no change under ${version}.`;
  return undefined;
}

/** The changelog with the date of the release in place of "unreleased"; a date that is there stays. */
export const dateChangelog = (changelog: string, version: string, date: string): string =>
  changelog.replace(`## ${version} (unreleased)`, `## ${version} (${date})`);
