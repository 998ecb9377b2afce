import type { Browser, BrowserContextOptions } from "playwright-core";
import { inject } from "vitest";
import type { Environment } from "../../e2e/support/process.ts";
import { openBrowser } from "./chromium.ts";
import { type Install, startInstall } from "./install.ts";
import { type Visitor, visit } from "./visitor.ts";

/** A server on an empty folder, and a browser that any number of people can use. */
export type Scene = {
  readonly install: Install;
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  stop(): Promise<void>;
};

/** Opens a scene; fails with the reason if there is no browser or the page could not be built. */
export async function openScene(environment: Environment = {}): Promise<Scene> {
  const missing = inject("missing");
  if (missing !== "") throw new Error(missing);
  const browser: Browser = await openBrowser();
  try {
    const install = await startInstall(environment);
    return {
      install,
      visit: (options) => visit(browser, install, options),
      async stop() {
        await browser.close();
        await install.stop();
      },
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
