import { BoardPage } from "./board/board-page.tsx";
import { lazyView } from "./lazy/lazy-view.tsx";
import { defineLazyModule } from "./lazy/lazy-module.ts";

const ReaderPanel = lazyView(
  defineLazyModule("src/reader/reader-panel.tsx", async () => (await import("./reader/reader-panel.tsx")).ReaderPanel),
  { name: "The tile", placement: "sheet" },
);
const AskPanel = lazyView(
  defineLazyModule("src/ask/ask-panel.tsx", async () => (await import("./ask/ask-panel.tsx")).AskPanel),
  { name: "The panel for questions", placement: "column" },
);
const Palette = lazyView(
  defineLazyModule("src/palette/palette.tsx", async () => (await import("./palette/palette.tsx")).Palette),
  { name: "The search", placement: "card" },
);

/** The board with what opens beside it. */
export function BoardRoute({ boardId }: { readonly boardId: string }) {
  return (
    <BoardPage
      boardId={boardId}
      renderReader={(slot) => <ReaderPanel {...slot} />}
      renderAsk={(slot) => <AskPanel {...slot} />}
      // Keys are held for its field until that is there. What says that it can't be is used by keys as well.
      renderPalette={(slot) => <Palette {...slot} onProblem={slot.takeTyped} />}
    />
  );
}
