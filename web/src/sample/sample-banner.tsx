import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { type ListedTile, useTiles } from "../api/tiles/tiles.ts";
import { formatCount } from "../text/plural.ts";
import { cn } from "../ui/class-names.ts";
import { sendCommand } from "../ui/commands.ts";
import { Button } from "../ui/controls/button.tsx";
import { IconButton } from "../ui/controls/icon-button.tsx";
import { ChatIcon, CloseIcon, RetryIcon } from "../ui/icons/icons.ts";
import { BANNER_SIZE, hasBanner } from "./banner-space.tsx";
import { SAMPLE_TILE_COUNT } from "./content.ts";
import { readSampleRecord, writeSampleRecord } from "./sample-memory.ts";
import { resumeSample, type SampleRun, useSampleRun } from "./sample-run.ts";

export type SampleBannerProps = { readonly boardId: string; readonly memberId: string; readonly isAskOpen: boolean };

/** The width from which the Ask panel fits beside the board. */
const WIDE = "(min-width: 48rem)";

/** Above the columns of the sample board: its progress, what went wrong, and what to do next. */
export function SampleBanner({ boardId, memberId, isAskOpen }: SampleBannerProps) {
  const client = useQueryClient();
  const run = useSampleRun();
  const { data: tiles = [] } = useTiles(boardId);
  const [record, setRecord] = useState(() => readSampleRecord(memberId));
  const banner = useRef<HTMLElement>(null);
  useFirstFocus(run, boardId, banner);
  if (!hasBanner(record, boardId)) return null;

  const close = (): void => {
    writeSampleRecord(memberId, { state: "closed" });
    setRecord({ state: "closed" });
    document.getElementById("main")?.focus();
  };
  const isRun = "boardId" in run && run.boardId === boardId;
  const stage = isRun ? run.status : record.state === "started" ? "failed" : "created";
  const resume = (): void => {
    banner.current?.focus();
    void resumeSample(client, memberId, boardId);
  };
  // Once more tiles were added, those that are processing may be the person's own.
  const isFilling = stage === "tiles" || (tiles.length <= SAMPLE_TILE_COUNT && tiles.some(({ status }) => status === "processing"));
  return (
    <section
      ref={banner}
      tabIndex={-1}
      aria-label="Sample board"
      className={cn(
        BANNER_SIZE,
        "flex flex-wrap content-center items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 py-2 text-sm",
      )}
    >
      {stage === "failed" ? (
        <Incomplete
          count={Math.min(tiles.length, SAMPLE_TILE_COUNT)}
          reason={run.status === "failed" ? run.message : ""}
          onResume={resume}
          onClose={close}
        />
      ) : isFilling ? (
        <Progress tiles={tiles} />
      ) : (
        <Ready tiles={tiles} isAskOpen={isAskOpen} onClose={close} />
      )}
    </section>
  );
}

/** Opens the Ask panel beside a board that was just created. On a phone the panel would cover the board, so the banner gets the focus. */
function useFirstFocus(run: SampleRun, boardId: string, banner: RefObject<HTMLElement | null>): void {
  const isDone = useRef(false);
  const isNew = run.status === "tiles" && run.boardId === boardId;
  // Before the board is first shown, so that the panel does not move it.
  useLayoutEffect(() => {
    if (!isNew || isDone.current) return;
    isDone.current = true;
    if (window.matchMedia(WIDE).matches) sendCommand("ask");
    else banner.current?.focus();
  }, [isNew, banner]);
}

type IncompleteProps = {
  readonly count: number;
  readonly reason: string;
  readonly onResume: () => void;
  readonly onClose: () => void;
};

function Incomplete({ count, reason, onResume, onClose }: IncompleteProps) {
  return (
    <>
      <p role="alert" className="min-w-0 flex-1 basis-64">
        The sample board is incomplete: it has {count} of {SAMPLE_TILE_COUNT} tiles. {reason}
      </p>
      <Button size="sm" onClick={onResume}>
        <RetryIcon /> Add the missing tiles
      </Button>
      <Button size="sm" variant="quiet" className="text-quiet" onClick={onClose}>
        Leave it like this
      </Button>
    </>
  );
}

function Progress({ tiles }: { readonly tiles: readonly ListedTile[] }) {
  const ready = Math.min(tiles.filter(({ status }) => status !== "processing").length, SAMPLE_TILE_COUNT);
  return (
    <>
      <p role="status">Filling the sample board…</p>
      <span
        role="progressbar"
        aria-label="Tiles of the sample board that are ready"
        aria-valuenow={ready}
        aria-valuemin={0}
        aria-valuemax={SAMPLE_TILE_COUNT}
        className="h-1.5 min-w-20 flex-1 overflow-hidden rounded-full bg-line"
      >
        <span className="block h-full rounded-full bg-accent" style={{ width: `${(ready / SAMPLE_TILE_COUNT) * 100}%` }} />
      </span>
      <span aria-hidden="true" className="text-quiet tabular-nums">
        {ready} of {SAMPLE_TILE_COUNT} tiles
      </span>
    </>
  );
}

type ReadyProps = { readonly tiles: readonly ListedTile[]; readonly isAskOpen: boolean; readonly onClose: () => void };

function Ready({ tiles, isAskOpen, onClose }: ReadyProps) {
  const failed = tiles.filter(({ status }) => status === "failed").length;
  return (
    <>
      <p role="status" className="min-w-0 flex-1 basis-48">
        {failed > 0
          ? `${formatCount(failed, "tile")} could not be read; the card says why.`
          : "The sample board is ready. Ask it a question, or open a tile to see its text."}{" "}
        <span className="text-quiet">
          Delete it under{" "}
          <a href="/settings/boards" className="text-accent underline">
            Settings, Boards
          </a>
          .
        </span>
      </p>
      <IconButton size="sm" label="Hide this message" className="self-start sm:order-2 sm:self-center" onClick={onClose}>
        <CloseIcon />
      </IconButton>
      {!isAskOpen && (
        <Button size="sm" className="max-sm:w-full" onClick={() => sendCommand("ask")}>
          <ChatIcon /> Ask a question
        </Button>
      )}
    </>
  );
}
