import { requireFields } from "../parts/problems.ts";

/** Refuses what can't be an address before it is sent; the service refuses the rest, such as what points inward. */
export function requireAddress(text: string): void {
  const protocol = URL.parse(text.trim())?.protocol;
  const isWhole = protocol === "https:" || protocol === "http:";
  requireFields({ url: !isWhole && "Write a whole address, such as https://example.com/hook." });
}
