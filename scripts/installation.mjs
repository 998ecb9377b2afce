// Compares what npm has installed with the lock file. Older Nodes must be able to run this file.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether `node_modules` has the version of each package that the lock file asks for, with or without those for development. npm notes
 * there what it has installed, so an installation by hand counts too. Superfluous packages do no harm; optional ones are for some platforms.
 */
export function isInstalled(root, hasDevelopment) {
  const installed = readInstalled(root);
  const wanted = readPackages(join(root, "package-lock.json"));
  return Object.entries(wanted).every(([path, { version, link, optional, dev, devOptional }]) => {
    const isPackage = path.includes("node_modules/") && !link;
    const isNeeded = isPackage && (hasDevelopment || !(dev || devOptional));
    if (!isNeeded) return true;
    return installed[path] === undefined ? Boolean(optional) : installed[path].version === version;
  });
}

/** Whether packages for development are installed, which an update must keep. */
export function hasDevelopmentPackages(root) {
  return Object.values(readInstalled(root)).some(({ dev }) => dev);
}

function readInstalled(root) {
  return readPackages(join(root, "node_modules/.package-lock.json"));
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};
}
