import type { Page } from "playwright-core";
import { typeInto } from "./typing.ts";

/** Fills in the fields with these labels. */
export async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await typeInto(page.getByLabel(label, { exact: true }), text);
}

/** Presses the button with this name. */
export const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole("button", { name, exact: true }).click();

/** Fills in and submits the login form. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await fill(page, { "E-mail": email, Password: password });
  await press(page, "Log in");
}

/** Pastes a text at the focus, like Ctrl+V. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((words: string) => (globalThis as any).navigator.clipboard.writeText(words), text);
  await page.keyboard.press("Control+V");
}
