import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
/** Debian's packages. The first has only the headless mode, which takes a fifth less processor time, and older releases lack it. */
const PACKAGES = ["chromium-headless-shell", "chromium"];
/** Paths of those packages, and of Ubuntu's own. */
const PATHS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const INSTALL_MS = 600_000;

/** The browser's executable: `CHROMIUM_PATH`, or the usual path; undefined if there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: named } = process.env;
  return [...(named === undefined ? [] : [named]), ...PATHS].find((path) => existsSync(path));
}

/** Installs the browser if it is missing and installation is allowed; returns why it is missing, or null. */
export function installChromium(): string | null {
  if (findChromium() !== undefined) return null;
  const how = "Install Chromium (Debian: apt-get install chromium), or name its program in CHROMIUM_PATH.";
  if (process.getuid?.() !== 0) return `There is no Chromium, and only root may install it. ${how}`;
  process.stderr.write("Installing Chromium …\n");
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env: environment, timeout: INSTALL_MS, encoding: "utf8" } as const;
  spawnSync("apt-get", ["update"], options);
  let reason = "";
  for (const name of PACKAGES) {
    const { status, stderr, error } = spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", name], options);
    if (status === 0 && findChromium() !== undefined) return null;
    reason = (error?.message ?? stderr ?? "").trim();
  }
  return `There is no Chromium, and installing it failed: ${reason}\n${how}`;
}

let shared: Promise<Browser> | undefined;

/** Returns the browser of this process, which ends with it. Each start takes a second of processor time. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await shared?.catch(() => undefined);
  if (browser?.isConnected() === true) return browser;
  shared = openBrowser();
  return shared;
}

/** Starts a headless browser. Throws if there is none: these tests are never skipped. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("There is no Chromium. Install it, or name its program in CHROMIUM_PATH.");
  return chromium.launch({ executablePath, args: FLAGS });
}
