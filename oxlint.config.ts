import { readdirSync } from "node:fs";

import { defineConfig } from "oxlint";

import { ALLOWED_IMPORTS, PAGE_ENTRY_FOLDER, SHARED_PAGE_FOLDERS } from "./import-rules.ts";

type Pattern = { group: string[]; message: string } | { regex: string; message: string };

const FOLDERS = Object.keys(ALLOWED_IMPORTS) as (keyof typeof ALLOWED_IMPORTS)[];
/** The two files that have a `#` name without a folder. */
const SINGLE_FILES = ["main", "config"];
const SEE_TABLE = "import-rules.ts lists what this folder may import; docs/architecture.md explains it.";

/** Relative paths that climb at least this many folders. Patterns of `group` would miss those that name a folder after the climb. */
const climb = (levels: number): string => `^(\\.\\./){${levels}}`;

const restrict = (files: string[], patterns: Pattern[]) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns }] as ["error", { patterns: Pattern[] }] },
});

/** The rules of a folder of `src/`, one for each depth, since a relative path that leaves the folder depends on it. */
function rulesOf(folder: keyof typeof ALLOWED_IMPORTS) {
  const allowed: readonly string[] = ALLOWED_IMPORTS[folder];
  const forbidden = [...FOLDERS, ...SINGLE_FILES].filter((name) => !allowed.includes(name));
  return [1, 2, 3, 4].map((depth) =>
    restrict(
      [`src/${folder}/${"*/".repeat(depth - 1)}*.ts`],
      [
        { regex: `^#(?:${forbidden.join("|")})(?:/|$)`, message: SEE_TABLE },
        { regex: climb(depth), message: "Import another folder by its # name, so that the import rules apply." },
      ],
    ),
  );
}

/** The feature folders of the page. */
const pageFeatures = readdirSync("web/src", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== PAGE_ENTRY_FOLDER)
  .map((entry) => entry.name)
  .filter((name) => !(SHARED_PAGE_FOLDERS as readonly string[]).includes(name));

/** Paths of other packages of this repository, or `#` names of the service. */
const OTHER_PACKAGES = "^#|(?:^|/)(?:src|sdk)/";
const SDK_ALONE = "The SDK depends on nothing else in this repository.";
const SDK_ONLY = "The page uses the service through @tessera-board/sdk only.";

// oxlint-disable-next-line import/no-default-export -- the linter reads the default export
export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "oxc", "promise"],
  categories: { correctness: "error", suspicious: "error" },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "unicorn/no-array-sort": "off",
    "unicorn/consistent-function-scoping": "off",
    "promise/always-return": "off",
    "promise/catch-or-return": "off",
    "promise/no-multiple-resolved": "off",
    "no-shadow": "off",
    "no-underscore-dangle": "off",
    "unicorn/require-module-specifiers": "off",
    "import/no-unassigned-import": "off",
    "no-await-in-loop": "off",
    "unicorn/require-post-message-target-origin": "off",
    "eslint/no-unmodified-loop-condition": "off",
    "promise/no-callback-in-promise": "off",
    "unicorn/no-array-reverse": "off",
    "no-control-regex": "off",
    "no-misleading-character-class": "off",
    "unicorn/no-useless-spread": "off",
  },
  ignorePatterns: ["node_modules", "dist", "data"],
  overrides: [
    ...FOLDERS.flatMap(rulesOf),
    restrict(["sdk/**/*.ts"], [{ regex: `^#|${climb(2)}`, message: SDK_ALONE }]),
    restrict(["web/src/**/*.{ts,tsx}"], [{ regex: OTHER_PACKAGES, message: SDK_ONLY }]),
    restrict(
      [`web/src/{${pageFeatures.join(",")}}/**/*.{ts,tsx}`],
      [
        { regex: OTHER_PACKAGES, message: SDK_ONLY },
        {
          group: [...pageFeatures, PAGE_ENTRY_FOLDER].map((feature) => `**/${feature}/**`),
          message: "Features of the page import only shared folders; web/src/app combines them.",
        },
      ],
    ),
    restrict(
      ["conformance/**/*.ts"],
      [{ regex: "^#|(?:^|/)src/", message: "The conformance suite is black-box: it uses the HTTP interface only." }],
    ),
    {
      files: ["test/**/*.ts"],
      rules: { "typescript/no-non-null-assertion": "off", "typescript/no-explicit-any": "off" },
    },
  ],
});
