import type { BrowserContextOptions } from "playwright-core";
import { inject } from "vitest";
import type { Environment } from "../../e2e/support/process.ts";
import { sharedBrowser } from "./chromium.ts";
import { type Install, startInstall } from "./install.ts";
import { type Visitor, visit } from "./visitor.ts";

/** A server with a new data directory, and a browser for several users. */
export type BrowserFixture = {
  readonly install: Install;
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  stop(): Promise<void>;
};

/** Starts the server and a browser. Throws if there is no browser or the page could not be built. */
export async function startBrowserFixture(environment: Environment = {}): Promise<BrowserFixture> {
  const missing = inject("missing");
  if (missing !== "") throw new Error(missing);
  const browser = await sharedBrowser();
  const install = await startInstall(environment);
  const visitors: Visitor[] = [];
  return {
    install,
    async visit(options) {
      const visitor = await visit(browser, install, options);
      visitors.push(visitor);
      return visitor;
    },
    async stop() {
      await Promise.all(visitors.map((visitor) => visitor.close()));
      await install.stop();
    },
  };
}
