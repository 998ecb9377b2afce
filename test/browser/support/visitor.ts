import { deepEqual } from "node:assert/strict";
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from "playwright-core";
import type { Install, Session } from "./install.ts";

/** Screen sizes: desktop, tablet in portrait, phone. */
export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  tablet: { viewport: { width: 834, height: 1112 }, hasTouch: true },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

/** One person's browser context, and the problems found in it. */
export type Visitor = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a path and waits until the page has finished loading. */
  open(path: string): Promise<void>;
  /** Logs in. */
  logIn(session: Session): Promise<void>;
  /** Fails the test for violations of the content security policy, requests to other hosts, errors and dialogs. */
  expectClean(): void;
  close(): Promise<void>;
};

/** Browsers log failed requests even if the page handles them. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Opens a browser context without cookies that records problems. */
export async function visit(browser: Browser, install: Install, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ ...SCREENS.desktop, baseURL: install.url, reducedMotion: "reduce", ...options });
  const problems: string[] = [];
  const record = (what: string): void => void problems.push(what);
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${install.url}/`) && !/^(?:data|blob|about):/.test(url)) record(`requested another host: ${url}`);
  });
  context.on("weberror", (error) => record(`threw: ${error.error().stack ?? error.error().message}`));
  context.on("dialog", (dialog) => {
    record(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("console", (message: ConsoleMessage) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) record(`logged an error: ${message.text()}`);
  });
  await context.exposeBinding("__recordProblem", (_source, what: string) => record(what));
  await context.addInitScript(
    `document.addEventListener("securitypolicyviolation", (e) => __recordProblem("blocked by the policy: " + e.violatedDirective + " " + e.blockedURI + " " + e.sourceFile + ":" + e.lineNumber + " " + e.sample));`,
  );
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return {
    context,
    page,
    async open(path) {
      await page.goto(path);
      await settle(page);
    },
    async logIn({ cookie }) {
      const [name = "", value = ""] = cookie.split("=");
      const isSecure = name.startsWith("__Host-");
      // The browser accepts the secure cookie only for https, but sends it to a loopback address over http as well.
      const url = isSecure ? install.url.replace("http:", "https:") : install.url;
      await context.addCookies([{ name, value, url, httpOnly: true, secure: isSecure, sameSite: "Lax" }]);
    },
    expectClean() {
      deepEqual(problems.splice(0), []);
    },
    close: () => context.close(),
  };
}

/** Waits until the page has loaded, nothing is busy, and no transition is running. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(`document.readyState === "complete" && document.querySelector("#root")?.childElementCount > 0`);
  await page.waitForFunction(`document.querySelector('[aria-busy="true"]') === null`);
  // The page's security policy forbids waitForFunction to evaluate its text again.
  while ((await page.evaluate("document.getAnimations().length")) !== 0) await page.waitForTimeout(20);
}
