import { type ComponentType, useEffect, useState } from "react";
import { useBoards } from "../api/boards.ts";
import { useMember } from "../api/session.ts";
import type * as SampleViews from "../sample/sample-views.ts";
import { BannerSpace } from "../sample/banner-space.tsx";
import { isSampleBoard, readSampleRecord, writeSampleRecord } from "../sample/sample-memory.ts";
import { defineLazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

// Few people see these parts, so nobody downloads them in advance. They are one module, so that the banner of a board that the offer
// creates is there in its first frame, and moves nothing.
const sampleViews = defineLazyModule("src/sample/sample-views.ts", () => import("../sample/sample-views.ts"), "never");

const SampleOffer = optionalView(({ SampleOffer: view }) => view);
const SampleBanner = optionalView(({ SampleBanner: view }) => view, BannerSpace);
const SampleQuestions = optionalView(({ SampleQuestions: view }) => view);

/** A view of the sample board, which the page can do without: it shows at most its place while it loads, and nothing if it can't be loaded. */
function optionalView<Props extends object>(
  select: (views: typeof SampleViews) => ComponentType<Props>,
  Place?: ComponentType<Props>,
): ComponentType<Props> {
  return function OptionalView(props) {
    const state = useLazyModule(sampleViews);
    if (state.status !== "ready") return Place === undefined || state.status === "failed" ? null : <Place {...props} />;
    const View = select(state.value);
    return <View {...props} />;
  };
}

/** The offer of a sample board, on the empty and only board of an install. `onDecline` is called after the offer has disappeared. */
export function OfferSlot({ boardId, onDecline }: { readonly boardId: string; readonly onDecline: () => void }) {
  const { id: memberId, canAdminister } = useMember();
  const boards = useBoards().data;
  const [isUndecided, setUndecided] = useState(() => {
    const record = readSampleRecord(memberId);
    return record === null || (record.state === "started" && record.boardId === null);
  });
  // Stays true when the sample becomes the second board.
  const [isFirst, setFirst] = useState(false);
  if (!isFirst && boards?.length === 1 && boards[0]?.id === boardId) setFirst(true);
  if (!isUndecided || !isFirst || !canAdminister) return null;
  const decline = (): void => {
    writeSampleRecord(memberId, { state: "declined" });
    setUndecided(false);
    onDecline();
  };
  return <SampleOffer memberId={memberId} onDecline={decline} />;
}

/** The banner of a sample board. On other boards with content it remembers that no sample is needed. */
export function BannerSlot({ boardId, ...board }: { readonly boardId: string; readonly isEmpty: boolean; readonly isAskOpen: boolean }) {
  const { id: memberId } = useMember();
  const isListed = useBoards().data !== undefined;
  const isSample = useIsSample(boardId);
  const hasOwnContent = isListed && !board.isEmpty && !isSample;
  useEffect(() => {
    if (hasOwnContent && readSampleRecord(memberId) === null) writeSampleRecord(memberId, { state: "declined" });
  }, [hasOwnContent, memberId]);
  if (isSample) return <SampleBanner boardId={boardId} memberId={memberId} isAskOpen={board.isAskOpen} />;
  return isListed ? null : <BannerSpace boardId={boardId} memberId={memberId} />;
}

type QuestionsSlotProps = { readonly boardId: string; readonly asked: readonly string[]; readonly onAsk: (question: string) => void };

/** The suggested questions of a sample board. */
export function QuestionsSlot(props: QuestionsSlotProps) {
  return useIsSample(props.boardId) ? <SampleQuestions {...props} /> : null;
}

const useIsSample = (boardId: string): boolean => isSampleBoard(useBoards().data?.find(({ id }) => id === boardId));
