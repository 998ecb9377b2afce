/** A placeholder in an expected output that matches anything. */
const WILDCARD = "…";

/** The first difference between an output and the expected one; null if they match. */
export function findMismatch(language: string, shown: string, printed: string): string | null {
  if (language !== "json") return textFits(shown.trim(), printed.trim()) ? null : `expected\n${shown}\nbut got\n${printed}`;
  try {
    return findDifference(JSON.parse(shown), JSON.parse(printed), "the output");
  } catch (error) {
    throw new Error(`${shown}\nor\n${printed}\nis not JSON`, { cause: error });
  }
}

const textFits = (shown: string, printed: string): boolean =>
  new RegExp(`^${shown.split(WILDCARD).map(RegExp.escape).join("[\\s\\S]*?")}$`).test(printed);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function findDifference(shown: unknown, actual: unknown, path: string): string | null {
  if (shown === WILDCARD) return null;
  if (Array.isArray(shown)) return Array.isArray(actual) ? findInList(shown, actual, path) : `${path} is not a list`;
  if (isObject(shown)) return isObject(actual) ? findInObject(shown, actual, path) : `${path} is not an object`;
  const fits = typeof shown === "string" ? typeof actual === "string" && textFits(shown, actual) : shown === actual;
  return fits ? null : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`;
}

/** A list that ends in "…" may have more items. */
function findInList(shown: readonly unknown[], actual: readonly unknown[], path: string): string | null {
  const isOpen = shown.at(-1) === WILDCARD;
  const entries = isOpen ? shown.slice(0, -1) : shown;
  if (actual.length < entries.length || (!isOpen && actual.length > entries.length)) return `${path} has ${actual.length} entries`;
  return findFirstProblem(entries.map((entry, index) => () => findDifference(entry, actual[index], `${path}[${index}]`)));
}

/** An object with a member "…" may have more members. */
function findInObject(shown: Record<string, unknown>, actual: Record<string, unknown>, path: string): string | null {
  const names = Object.keys(shown).filter((name) => name !== WILDCARD);
  const further = WILDCARD in shown ? undefined : Object.keys(actual).find((name) => !names.includes(name));
  if (further !== undefined) return `${path} also has ${further}`;
  return findFirstProblem(
    names.map((name) => () => (name in actual ? findDifference(shown[name], actual[name], `${path}.${name}`) : `${path} has no ${name}`)),
  );
}

function findFirstProblem(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}
