import { validateFields } from "../parts/form-errors.ts";

/** Rejects texts that are not web addresses before the request; the server rejects others, such as private addresses. */
export function validateUrl(text: string): void {
  const protocol = URL.parse(text.trim())?.protocol;
  const isWhole = protocol === "https:" || protocol === "http:";
  validateFields({ url: !isWhole && "Enter a complete address, such as https://example.com/hook." });
}
