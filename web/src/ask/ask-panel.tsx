import { Tabs } from "@base-ui/react/tabs";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { OpenTile } from "../text/quote.ts";
import { IconButton } from "../ui/controls/icon-button.tsx";
import { ChatIcon, CloseIcon, SparkleIcon } from "../ui/icons/icons.ts";
import { AskView, type RenderSuggestions } from "./questions/ask-view.tsx";
import { GenerateView } from "./generate/generate-view.tsx";

export type AskPanelProps = {
  readonly boardId: string;
  /** Tiles selected on the board; each new selection opens the Generate tab. */
  readonly chosen?: readonly string[] | null;
  readonly onOpenTile: OpenTile;
  readonly renderSuggestions?: RenderSuggestions;
  /** If given, the panel has a close button. */
  readonly onClose?: () => void;
};

const TAB =
  "inline-flex min-h-9 items-center gap-2 rounded-md px-3 text-base font-medium text-quiet hover:bg-hover hover:text-ink data-[active]:bg-accent-soft data-[active]:text-ink pointer-coarse:min-h-11";

/** The panel for questions and generation: beside the board, or full screen on phones. */
export function AskPanel({ boardId, chosen = null, onOpenTile, renderSuggestions, onClose }: AskPanelProps) {
  const [tab, setTab] = useState(chosen === null ? "ask" : "generate");
  const [handled, setHandled] = useState(chosen);
  const panel = useRef<HTMLElement>(null);
  if (chosen !== handled) {
    setHandled(chosen);
    if (chosen !== null) setTab("generate");
  }
  // Must run before the next effect, which moves the focus.
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>("[role=tabpanel]:not([hidden]) textarea")?.focus({ preventScroll: true });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Popups above the panel, such as menus, handle Escape themselves.
    if (event.key !== "Escape" || event.defaultPrevented || !event.currentTarget.contains(event.target as Node)) return;
    event.stopPropagation();
    onClose?.();
  };
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => setTab(String(next))}
      render={<section ref={panel} aria-label="Ask and generate" onKeyDown={onKeyDown} />}
      className="flex min-h-0 flex-col bg-raised text-ink max-md:fixed max-md:inset-x-0 max-md:top-0 max-md:bottom-[var(--banners-height,0px)] max-md:z-30 md:h-full md:w-104 md:shrink-0 md:border-l md:border-line xl:w-md"
    >
      <h2 className="sr-only">Ask and generate</h2>
      <div className="flex items-center gap-2 border-b border-line px-3 py-2">
        <Tabs.List aria-label="Ask or generate" className="flex flex-1 gap-1">
          <Tabs.Tab value="ask" className={TAB}>
            <ChatIcon /> Ask
          </Tabs.Tab>
          <Tabs.Tab value="generate" className={TAB}>
            <SparkleIcon /> Generate
          </Tabs.Tab>
        </Tabs.List>
        {onClose !== undefined && (
          <IconButton label="Close the panel" onClick={onClose}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
      <Tabs.Panel value="ask" keepMounted tabIndex={-1} className="flex min-h-0 flex-1 flex-col data-[hidden]:hidden">
        <AskView key={boardId} boardId={boardId} onOpenTile={onOpenTile} renderSuggestions={renderSuggestions} />
      </Tabs.Panel>
      <Tabs.Panel value="generate" keepMounted tabIndex={-1} className="flex min-h-0 flex-1 flex-col data-[hidden]:hidden">
        <GenerateView key={boardId} boardId={boardId} chosen={chosen} onOpenTile={onOpenTile} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
