import { beforeEach, expect, it } from "vitest";
import { createUndo } from "../../web/src/board/actions/use-undo.ts";
import { closeToast, getToasts } from "../../web/src/ui/toasts.ts";

beforeEach(() => getToasts().forEach(({ id }) => closeToast(id)));

const newStep = (text: string, calls: string[], isFailing = () => false) => {
  const call = (sign: string): Promise<void> => {
    calls.push(`${sign}${text}`);
    return isFailing() ? Promise.reject(new Error("The server refused.")) : Promise.resolve();
  };
  return { text, undo: () => call("-"), redo: () => call("+") };
};
const shown = (): readonly string[] => getToasts().map(({ text, action }) => `${text} [${action?.label ?? ""}]`);

it("does, undoes and redoes in order, and says what it did", () => {
  const calls: string[] = [];
  const undo = createUndo();
  undo.run(newStep("A.", calls));
  expect(shown()).toEqual(["A. [Undo]"]);
  undo.run(newStep("B.", calls), true);
  expect(shown()).toEqual([]);
  undo.add(newStep("C.", calls));
  expect(calls.splice(0)).toEqual(["+A.", "+B."]);
  for (let n = 0; n < 3; n++) undo.undo();
  expect(calls.splice(0)).toEqual(["-C.", "-B.", "-A."]);
  expect(shown()).toEqual(["Undone: A. [Redo]"]);
  undo.redo();
  expect(shown()).toEqual(["A. [Undo]"]);
  undo.redo();
  undo.redo();
  expect(calls).toEqual(["+A.", "+B.", "+C."]);
});

it("says that there is nothing to undo or redo", () => {
  const undo = createUndo();
  undo.undo();
  undo.redo();
  expect(shown()).toEqual(["There is nothing to undo. []", "There is nothing to redo. []"]);
  expect([undo.canUndo(), undo.canRedo()]).toEqual([false, false]);
});

it("keeps fifty steps, and drops undone ones after a new step", () => {
  const calls: string[] = [];
  const undo = createUndo();
  for (let n = 0; n < 60; n++) undo.add(newStep(String(n), calls));
  for (let n = 0; n < 60; n++) undo.undo();
  expect([calls.length, calls.at(-1)]).toEqual([50, "-10"]);
  undo.redo();
  undo.add(newStep("new", calls));
  expect(undo.canRedo()).toBe(false);
  undo.undo();
  undo.undo();
  expect(calls.slice(-2)).toEqual(["-new", "-10"]);
});

it("forgets a step that fails, whichever of several is refused", async () => {
  const calls: string[] = [];
  const undo = createUndo();
  let isRefused = true;
  undo.run(newStep("A.", calls, () => isRefused));
  undo.run(newStep("B.", calls));
  await Promise.resolve();
  expect(shown()).toEqual(["B. [Undo]"]);
  undo.undo();
  expect([undo.canUndo(), undo.canRedo()]).toEqual([false, true]);
  isRefused = false;
  undo.run(newStep("C.", calls, () => isRefused));
  isRefused = true;
  undo.undo();
  await Promise.resolve();
  expect([undo.canUndo(), undo.canRedo()]).toEqual([false, false]);
  expect(shown()).toEqual([]);
});
