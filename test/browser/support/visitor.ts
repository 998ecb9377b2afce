import { deepEqual } from "node:assert/strict";
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from "playwright-core";
import type { Install, Session } from "./install.ts";

/** Screens that people have: a desk, a tablet held upright, a phone. */
export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  tablet: { viewport: { width: 834, height: 1112 }, hasTouch: true },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

/** One person's browser, and whatever went wrong in it. */
export type Visitor = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a path of the install and waits until the page has nothing more to load. */
  open(path: string): Promise<void>;
  /** Is logged in from here on. */
  become(session: Session): Promise<void>;
  /** Fails the test for anything that was refused by the policy, asked of another host, thrown, or popped up. */
  expectClean(): void;
  close(): Promise<void>;
};

/** A refusal that the page handles is told by the browser all the same. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** A browser of its own, without any cookie, that notes every breach of what the page promises. */
export async function visit(browser: Browser, install: Install, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ ...SCREENS.desktop, baseURL: install.url, reducedMotion: "reduce", ...options });
  const breaches: string[] = [];
  const note = (what: string): void => void breaches.push(what);
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${install.url}/`) && !/^(?:data|blob|about):/.test(url)) note(`asked another host: ${url}`);
  });
  context.on("weberror", (error) => note(`threw: ${error.error().stack ?? error.error().message}`));
  context.on("dialog", (dialog) => {
    note(`popped up: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("console", (message: ConsoleMessage) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) note(`said: ${message.text()}`);
  });
  await context.exposeBinding("__noteBreach", (_source, what: string) => note(what));
  await context.addInitScript(
    `document.addEventListener("securitypolicyviolation", (e) => __noteBreach("refused by the policy: " + e.violatedDirective + " " + e.blockedURI + " " + e.sourceFile + ":" + e.lineNumber + " " + e.sample));`,
  );
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return {
    context,
    page,
    async open(path) {
      await page.goto(path);
      await settle(page);
    },
    async become({ cookie }) {
      const [name = "", value = ""] = cookie.split("=");
      const isSecure = name.startsWith("__Host-");
      // The scheme is https only for the browser to take a secure cookie by hand; it sends it to a loopback address over http as well.
      const url = isSecure ? install.url.replace("http:", "https:") : install.url;
      await context.addCookies([{ name, value, url, httpOnly: true, secure: isSecure, sameSite: "Lax" }]);
    },
    expectClean() {
      deepEqual(breaches.splice(0), []);
    },
    close: () => context.close(),
  };
}

/** Waits until fonts are there and nothing that was asked for is still on its way; a live stream never ends and is not waited for. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(`document.readyState === "complete" && document.querySelector("#root")?.childElementCount > 0`);
  await page.waitForFunction(`document.querySelector('[aria-busy="true"]') === null`);
}
