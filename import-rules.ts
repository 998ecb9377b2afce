/**
 * Which folders of `src/` each folder may import by its `#` name; docs/architecture.md draws the same table.
 * Files of one folder import each other by relative paths. `main` and `config` are the two files of those names.
 */
export const ALLOWED_IMPORTS = {
  runtime: ["domain"],
  domain: [],
  net: ["runtime", "domain"],
  people: ["runtime", "domain"],
  retrieval: ["domain"],
  storage: ["runtime", "domain"],
  llm: ["runtime", "domain", "net"],
  service: ["runtime", "domain", "retrieval"],
  ingest: ["runtime", "domain", "retrieval"],
  http: ["runtime", "domain", "service"],
  mcp: ["runtime", "domain", "service", "http"],
  composition: ["runtime", "domain", "net", "people", "retrieval", "storage", "llm", "service", "ingest", "http", "mcp", "config"],
  cli: ["runtime", "domain", "service", "storage", "mcp", "composition", "main", "config"],
} as const satisfies Record<string, readonly string[]>;

/** Folders of `web/src/` that every other folder there may import. */
export const SHARED_PAGE_FOLDERS = ["api", "text", "ui"] as const;
/** The folder of `web/src/` that combines the features. The remaining folders are one feature each, and do not import each other. */
export const PAGE_ENTRY_FOLDER = "app";
