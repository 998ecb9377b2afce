import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Replaces the value of a field key by key; a line break is typed as Shift+Enter, which does not submit. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.waitFor();
  await field.focus();
  await field.press("Control+A");
  await field.press("Delete");
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0) await field.press("Shift+Enter");
    await field.pressSequentially(line);
  }
  // Every test that types detects fields that lose keys or move the caret.
  await expect.poll(() => field.inputValue()).toBe(text);
}

/** Puts the caret at an offset in UTF-16 code units. */
export async function placeCaret(field: Locator, at: number): Promise<void> {
  await field.focus();
  await field.evaluate((element: any, place: number) => element.setSelectionRange(place, place), at);
}

/**
 * Types into the middle of a field, and checks value and caret after every key, once rendered. `between` runs after each key, for changes
 * by others.
 */
export async function typeInTheMiddle(field: Locator, typed: string, between: (index: number) => Promise<unknown> = async () => null) {
  const before = await field.inputValue();
  const middle = Math.floor(before.length / 2);
  await placeCaret(field, middle);
  for (const [index, key] of [...typed].entries()) {
    await field.page().keyboard.press(key);
    await between(index);
    const end = middle + index + 1;
    const expected = before.slice(0, middle) + typed.slice(0, index + 1) + before.slice(middle);
    expect(await afterDrawing(field)).toEqual({ value: expected, caret: end });
  }
}

/** The value and caret of a field after the last key was rendered. */
export const afterDrawing = (field: Locator): Promise<{ readonly value: string; readonly caret: number }> =>
  field.evaluate(
    (element: any) =>
      new Promise((resolve) => {
        const read = (): void => resolve({ value: element.value, caret: element.selectionStart });
        (globalThis as any).requestAnimationFrame(() => setTimeout(() => setTimeout(read), 20));
      }),
  );
