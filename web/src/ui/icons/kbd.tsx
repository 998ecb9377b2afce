const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

const NAMES: Readonly<Record<string, string>> = {
  Mod: isApple ? "⌘" : "Ctrl",
  Shift: isApple ? "⇧" : "Shift",
  Alt: isApple ? "⌥" : "Alt",
  Enter: "Enter",
  Up: "↑",
  Down: "↓",
  Left: "←",
  Right: "→",
};

/** A keyboard shortcut such as `Mod+K`; Mod is Ctrl, or ⌘ on Apple devices. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <kbd className="inline-flex items-center gap-0.5 font-sans text-xs">
      {keys.split("+").map((key) => (
        <span key={key} className="min-w-5 rounded-sm border border-current/30 px-1 text-center leading-4.5">
          {NAMES[key] ?? key}
        </span>
      ))}
    </kbd>
  );
}
