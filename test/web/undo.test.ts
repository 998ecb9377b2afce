import { beforeEach, expect, it, vi } from "vitest";
import { createUndo } from "../../web/src/board/actions/use-undo.ts";
import { closeToast, getToasts } from "../../web/src/ui/toasts.ts";

beforeEach(() => getToasts().forEach(({ id }) => closeToast(id)));

const newStep = (text: string, calls: string[]) => ({ text, undo: () => calls.push(`-${text}`), redo: () => calls.push(`+${text}`) });
const shown = (): readonly string[] => getToasts().map(({ text, action }) => `${text} [${action?.label ?? ""}]`);

it("undoes and redoes in order, and says what it did", () => {
  const calls: string[] = [];
  const undo = createUndo();
  undo.add(newStep("A.", calls));
  undo.add(newStep("B.", calls), true);
  undo.undo();
  undo.undo();
  expect(calls).toEqual(["-B.", "-A."]);
  expect(shown()).toEqual(["Undone: A. [Redo]"]);
  undo.redo();
  expect(shown()).toEqual(["A. [Undo]"]);
  undo.redo();
  expect(calls).toEqual(["-B.", "-A.", "+A.", "+B."]);
});

it("says that there is nothing to undo or redo", () => {
  const undo = createUndo();
  undo.undo();
  undo.redo();
  expect(shown()).toEqual(["There is nothing to undo. []", "There is nothing to redo. []"]);
  expect([undo.canUndo(), undo.canRedo()]).toEqual([false, false]);
});

it("keeps fifty steps, drops redone ones after a new step, and forgets failed ones", () => {
  const calls: string[] = [];
  const undo = createUndo();
  for (let n = 0; n < 60; n++) undo.add(newStep(String(n), calls));
  for (let n = 0; n < 60; n++) undo.undo();
  expect([calls.length, calls.at(-1)]).toEqual([50, "-10"]);
  undo.redo();
  const back = vi.fn();
  const forget = undo.add({ text: "Failed.", undo: back, redo: back });
  expect(undo.canRedo()).toBe(false);
  forget();
  undo.undo();
  expect(back).not.toHaveBeenCalled();
  expect(calls.at(-1)).toBe("-10");
});
