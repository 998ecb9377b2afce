import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Replaces what stands in a field, key by key as a person does; a line break is typed as Shift+Enter, which sends nothing. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.waitFor();
  await field.focus();
  await field.press("Control+A");
  await field.press("Delete");
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0) await field.press("Shift+Enter");
    await field.pressSequentially(line);
  }
  // A field that loses keys, or moves the caret, is found by every test that types into it.
  await expect.poll(() => field.inputValue()).toBe(text);
}

/** Puts the caret of a field between two characters, counted in UTF-16 code units. */
export async function placeCaret(field: Locator, at: number): Promise<void> {
  await field.focus();
  await field.evaluate((element: any, place: number) => element.setSelectionRange(place, place), at);
}

/**
 * Types into the middle of what stands in a field, and checks the value and the caret after every key, once the page had time to draw.
 * `between` is awaited after each key: what others do meanwhile.
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

/** What stands in a field and where its caret is, after whatever the last key caused was drawn. */
export const afterDrawing = (field: Locator): Promise<{ readonly value: string; readonly caret: number }> =>
  field.evaluate(
    (element: any) =>
      new Promise((resolve) => {
        const read = (): void => resolve({ value: element.value, caret: element.selectionStart });
        (globalThis as any).requestAnimationFrame(() => setTimeout(() => setTimeout(read), 20));
      }),
  );
