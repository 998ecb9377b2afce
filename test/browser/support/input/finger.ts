import type { CDPSession, Locator, Page } from "playwright-core";

export type Point = { readonly x: number; readonly y: number };

/** One finger on a touch screen. Its events pass through the browser, so they scroll, press and drag. */
export type Finger = {
  down(at: Point): Promise<void>;
  /** Maximum pixels per step, as between two frames. */
  move(to: Point): Promise<void>;
  up(): Promise<void>;
};

const STEP = 12;

export async function fingerOn(page: Page): Promise<Finger> {
  const screen: CDPSession = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: Point[]) =>
    screen.send("Input.dispatchTouchEvent", { type, touchPoints });
  let now: Point = { x: 0, y: 0 };
  return {
    async down(at) {
      now = at;
      await touch("touchStart", at);
    },
    async move(to) {
      const from = now;
      const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STEP));
      for (let step = 1; step <= steps; step++) {
        now = { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps };
        await touch("touchMove", now);
      }
    },
    async up() {
      await touch("touchEnd");
    },
  };
}

/** The middle of an element, or a point of it: 0 is its top, 1 its bottom. */
export async function getPoint(place: Locator, height = 0.5): Promise<Point> {
  const box = await place.boundingBox();
  if (box === null) throw new Error("It is not in sight.");
  return { x: box.x + box.width / 2, y: box.y + box.height * height };
}
