import { validateFields } from "../parts/form-errors.ts";

/** Refuses what can't be an address before it is sent; the service refuses the rest, such as what points inward. */
export function validateUrl(text: string): void {
  const protocol = URL.parse(text.trim())?.protocol;
  const isWhole = protocol === "https:" || protocol === "http:";
  validateFields({ url: !isWhole && "Write a whole address, such as https://example.com/hook." });
}
