import type { SearchResult } from "@tessera-board/sdk";
import { Snippet } from "../text/snippet-text.tsx";
import { cn } from "../ui/class-names.ts";
import { BoardIcon, BoltIcon } from "../ui/icons/icons.ts";
import { Kbd } from "../ui/icons/kbd.tsx";
import { KindIcon } from "../ui/icons/kind-icon.tsx";
import type { PaletteItem } from "./actions.ts";
import { getResultStatus } from "./result-status.ts";

type PaletteListProps = {
  readonly id: string;
  readonly items: readonly PaletteItem[];
  readonly index: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (item: PaletteItem) => void;
};

/** The results by section. The search field keeps the focus and controls the active option. */
export function PaletteList({ id, items, index, onPoint, onChoose }: PaletteListProps) {
  const sections = [...new Set(items.map(({ section }) => section))];
  return (
    <div id={id} role="listbox" aria-label="Results" tabIndex={-1} className="min-h-0 overflow-y-auto p-1.5 empty:p-0">
      {sections.map((section) => (
        <div key={section} role="group" aria-label={section}>
          <div aria-hidden="true" className="px-2.5 pt-2 pb-1 text-xs font-medium text-quiet">
            {section}
          </div>
          {items.map(
            (item, at) =>
              item.section === section && (
                <Option
                  key={item.id}
                  id={`${id}-${at}`}
                  item={item}
                  isActive={at === index}
                  onPoint={() => at !== index && onPoint(at)}
                  onChoose={() => onChoose(item)}
                />
              ),
          )}
        </div>
      ))}
    </div>
  );
}

type OptionProps = {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
};

function Option({ id, item, isActive, onPoint, onChoose }: OptionProps) {
  const { result } = item;
  return (
    // The search field handles the keyboard.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={cn("flex cursor-pointer items-start gap-2.5 rounded-md px-2.5 py-2 pointer-coarse:py-[0.675rem]", isActive && "bg-hover")}
    >
      <span className="flex h-[1.4rem] items-center text-quiet">
        {item.result ? <KindIcon type={item.result.type} /> : item.section === "Boards" ? <BoardIcon /> : <BoltIcon />}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex h-[1.4rem] items-center gap-2">
          <span dir="auto" className="min-w-0 truncate font-medium">
            {item.name}
          </span>
          {result && <StatusBadge result={result} />}
        </div>
        {result && result.quote !== "" && (
          <Snippet quote={result.quote} highlights={result.highlights} className="line-clamp-2 text-sm break-words text-quiet" />
        )}
      </div>
      {item.keys !== undefined && (
        <span className="flex h-[1.4rem] items-center text-quiet pointer-coarse:hidden">
          <Kbd keys={item.keys} />
        </span>
      )}
    </div>
  );
}

const TONES = {
  plain: "text-quiet ring-1 ring-edge/50 ring-inset",
  accent: "bg-accent-soft text-accent",
  danger: "bg-danger-soft text-danger",
} as const;

function StatusBadge({ result }: { readonly result: SearchResult }) {
  const state = getResultStatus(result);
  return state && <span className={cn("shrink-0 rounded-sm px-1.5 py-0.5 text-xs font-medium", TONES[state.tone])}>{state.label}</span>;
}
