import { validateFields } from "../parts/form-errors.ts";

/** Rejects input that is not a web URL before the request. The server makes further checks, for example for private addresses. */
export function validateUrl(text: string): void {
  const protocol = URL.parse(text.trim())?.protocol;
  const isWebUrl = protocol === "https:" || protocol === "http:";
  validateFields({ url: !isWebUrl && "Enter a complete URL, such as https://example.com/hook." });
}
