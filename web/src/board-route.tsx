import { lazy, Suspense } from "react";
import { BoardPage } from "./board/board-page.tsx";
import { ErrorBoundary } from "./ui/states/error-boundary.tsx";
import { Loading } from "./ui/states/loading.tsx";

const ReaderPanel = lazy(() => import("./reader/reader-panel.tsx").then((room) => ({ default: room.ReaderPanel })));
const AskPanel = lazy(() => import("./ask/ask-panel.tsx").then((room) => ({ default: room.AskPanel })));
const Palette = lazy(() => import("./palette/palette.tsx").then((room) => ({ default: room.Palette })));

/** The board with what opens beside it; each of those is loaded when it is first wanted. */
export function BoardRoute({ boardId }: { readonly boardId: string }) {
  return (
    <BoardPage
      boardId={boardId}
      renderReader={(slot) => (
        <Suspense>
          <ReaderPanel {...slot} />
        </Suspense>
      )}
      renderAsk={(slot) => (
        <ErrorBoundary resetKey={slot.boardId}>
          <Suspense fallback={<Loading />}>
            <AskPanel {...slot} />
          </Suspense>
        </ErrorBoundary>
      )}
      renderPalette={(slot) => (
        <Suspense>
          <Palette {...slot} />
        </Suspense>
      )}
    />
  );
}
