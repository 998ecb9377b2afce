import { fileURLToPath } from "node:url";

/**
 * Returns the URL of a file or folder of this package that is not imported, such as the module of a thread. `alias` is one of package.json's
 * `imports`. A path relative to the calling module would be wrong in the published package, where modules are bundled into others.
 */
export const packageUrl = (alias: `#${string}`): URL => new URL(import.meta.resolve(alias));

/** Returns the path of a file or folder of this package; see `packageUrl`. */
export const packagePath = (alias: `#${string}`): string => fileURLToPath(packageUrl(alias));
