import { beforeEach, expect, it } from "vitest";
import { createUndo } from "../../web/src/board/actions/use-undo.ts";
import { closeToast, getToasts } from "../../web/src/ui/toasts.ts";

/** Where the focus was moved to (`!`), or goes if nothing has it. */
let focused: string[] = [];
const focus = {
  move: (place: object) => void focused.push(`!${Object.values(place)}`),
  expect: (place: object) => void focused.push(`${Object.values(place)}`),
};

beforeEach(() => {
  focused = [];
  getToasts().forEach(({ id }) => closeToast(id));
});

const newStep = (text: string, calls: string[], isFailing = () => false) => {
  const call = (sign: string): Promise<void> => {
    calls.push(`${sign}${text}`);
    return isFailing() ? Promise.reject(new Error("The server refused.")) : Promise.resolve();
  };
  return { text, place: { tileId: text }, undo: () => call("-"), redo: () => call("+") };
};
const shown = (): readonly string[] => getToasts().map(({ text, action }) => `${text} [${action?.label ?? ""}]`);

it("the undo history runs, undoes and redoes in order, and says what it did", () => {
  const calls: string[] = [];
  const undo = createUndo(focus);
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

it("the undo history says that there is nothing to undo or redo, in place of what it said before", () => {
  const undo = createUndo(focus);
  undo.undo();
  expect(shown()).toEqual(["There is nothing to undo. []"]);
  undo.redo();
  expect(shown()).toEqual(["There is nothing to redo. []"]);
  undo.add(newStep("A.", []));
  undo.undo();
  undo.undo();
  expect(shown()).toEqual(["There is nothing to undo. []"]);
  expect([undo.canUndo(), undo.canRedo()]).toEqual([false, true]);
});

it("the undo history moves the focus to what it undid or did again, and keeps it where it is after an action", () => {
  const undo = createUndo(focus);
  undo.run(newStep("A.", []));
  undo.add(newStep("B.", []));
  undo.undo();
  undo.undo();
  undo.redo();
  expect(focused).toEqual(["A.", "!B.", "!A.", "!A."]);
});

it("the undo history keeps fifty steps, and drops undone ones after a new step", () => {
  const calls: string[] = [];
  const undo = createUndo(focus);
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

it("the undo history forgets a step that fails, whichever of several is refused", async () => {
  const calls: string[] = [];
  const undo = createUndo(focus);
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

it("the undo history keeps an action that is being done, and forgets it if it fails, undone or not", async () => {
  for (const presses of [0, 1]) {
    const undo = createUndo(focus);
    const action = Promise.withResolvers<void>();
    undo.add(newStep("A.", []));
    undo.add(newStep("B.", []), action.promise);
    for (let n = 0; n < presses; n++) undo.undo();
    expect(shown()).toEqual(presses === 0 ? [] : ["Undone: B. [Redo]"]);
    action.reject(new Error("The server refused."));
    await Promise.resolve();
    expect(shown()).toEqual([]);
    expect(undo.canRedo()).toBe(false);
    undo.undo();
    expect(shown()).toEqual(["Undone: A. [Redo]"]);
    getToasts().forEach(({ id }) => closeToast(id));
  }
});
