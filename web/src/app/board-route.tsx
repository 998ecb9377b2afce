import { BoardPage } from "../board/board-page.tsx";
import { lazyView } from "../ui/lazy/lazy-view.tsx";
import { defineLazyModule } from "../ui/lazy/lazy-module.ts";
import { BannerSlot, OfferSlot, QuestionsSlot } from "./sample-slots.tsx";

const ReaderPanel = lazyView(
  defineLazyModule("src/reader/reader-panel.tsx", async () => (await import("../reader/reader-panel.tsx")).ReaderPanel),
  { name: "The tile", placement: "sheet" },
);
const AskPanel = lazyView(
  defineLazyModule("src/ask/ask-panel.tsx", async () => (await import("../ask/ask-panel.tsx")).AskPanel),
  { name: "The Ask panel", placement: "column" },
);
const Palette = lazyView(
  defineLazyModule("src/palette/palette.tsx", async () => (await import("../palette/palette.tsx")).Palette),
  { name: "The search", placement: "card" },
);

/** The board page with its lazily loaded panels. */
export function BoardRoute({ boardId }: { readonly boardId: string }) {
  return (
    <BoardPage
      boardId={boardId}
      renderReader={(slot) => <ReaderPanel {...slot} />}
      renderAsk={(slot) => <AskPanel {...slot} renderSuggestions={(questions) => <QuestionsSlot boardId={boardId} {...questions} />} />}
      renderOffer={(slot) => <OfferSlot boardId={boardId} {...slot} />}
      renderBanner={(slot) => <BannerSlot boardId={boardId} {...slot} />}
      // Keys are buffered for the search field until it mounts. On a load error the buffer ends, so that keys reach the error message.
      renderPalette={(slot) => <Palette {...slot} onProblem={slot.takeTyped} />}
    />
  );
}
