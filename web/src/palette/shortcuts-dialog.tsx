import { Dialog } from "../ui/floating/dialog.tsx";
import { Kbd } from "../ui/icons/kbd.tsx";

type Shortcut = readonly [keys: readonly string[], meaning: string];

const GROUPS: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: "Board",
    shortcuts: [
      [["Mod+K", "/"], "Search tiles, boards and actions"],
      [["Mod+V"], "Add a link, text or file from the clipboard"],
      [["n"], "New tile"],
      [["z"], "New zone"],
      [["a"], "Ask this board"],
      [["Mod+Z"], "Undo the last change of tiles and zones"],
      [["Mod+Shift+Z", "Mod+Y"], "Redo it"],
      [["?"], "Show keyboard shortcuts"],
    ],
  },
  {
    title: "Focused tile",
    shortcuts: [
      [["Up", "Down"], "Previous or next tile"],
      [["Left", "Right"], "Previous or next zone"],
      [["Home", "End"], "First or last tile in the zone"],
      [["Enter"], "Open"],
      [["m"], "Move to another zone"],
      [["r"], "Retry or refresh"],
      [["Delete"], "Delete"],
    ],
  },
  {
    title: "Selection",
    shortcuts: [
      [["x"], "Select or deselect the focused tile"],
      [["Shift+Up", "Shift+Down"], "Extend the selection"],
      [["Mod+A"], "Select all tiles in the zone"],
      [["Esc"], "Clear selection"],
    ],
  },
  {
    title: "Drag handle",
    shortcuts: [
      [["Space"], "Pick up or drop"],
      [["Up", "Down", "Left", "Right"], "Move"],
      [["Esc"], "Cancel"],
    ],
  },
];

/** The list of keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} shape="wide" title="Keyboard shortcuts">
      {/* A region that scrolls must be focusable to be scrolled with the keyboard. */}
      <div role="region" aria-label="Shortcuts" tabIndex={0} className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {GROUPS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="mb-1 text-sm font-semibold text-quiet">{title}</h3>
            <dl>
              {shortcuts.map(([keys, meaning]) => (
                <div key={meaning} className="flex items-center gap-3 border-b border-line py-1.5 last:border-0">
                  <dt className="flex w-32 shrink-0 flex-wrap gap-1 text-quiet">
                    {keys.map((one) => (
                      <Kbd key={one} keys={one} />
                    ))}
                  </dt>
                  <dd className="min-w-0">{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
