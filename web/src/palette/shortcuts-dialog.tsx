import { Dialog } from "../ui/floating/dialog.tsx";
import { Kbd } from "../ui/icons/kbd.tsx";

type Shortcut = readonly [keys: readonly string[], meaning: string];

const GROUPS: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: "Anywhere on the board",
    shortcuts: [
      [["Mod+K", "/"], "Search tiles, boards and actions"],
      [["Mod+V"], "Paste a link, text or file as a tile"],
      [["n"], "New tile"],
      [["z"], "New zone"],
      [["a"], "Ask this board"],
      [["Mod+Z"], "Undo the last move or deletion"],
      [["?"], "Show keyboard shortcuts"],
    ],
  },
  {
    title: "On a tile",
    shortcuts: [
      [["Up", "Down"], "Next tile above or below"],
      [["Left", "Right"], "Next zone to the left or right"],
      [["Home", "End"], "First or last tile of the zone"],
      [["Enter"], "Open it"],
      [["m"], "Move it to another zone"],
      [["r"], "Read its link again"],
      [["Delete"], "Delete it"],
    ],
  },
  {
    title: "Selecting",
    shortcuts: [
      [["x"], "Select or deselect the tile"],
      [["Shift+Up", "Shift+Down"], "Extend the selection"],
      [["Mod+A"], "Select all tiles of the zone"],
      [["Esc"], "Clear selection"],
    ],
  },
  {
    title: "Moving with the drag handle",
    shortcuts: [
      [["Space"], "Pick up or drop the tile"],
      [["Up", "Down", "Left", "Right"], "Move it"],
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
