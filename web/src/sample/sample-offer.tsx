import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useLocation } from "wouter";
import { Button } from "../ui/controls/button.tsx";
import { Notice } from "../ui/states/notice.tsx";
import { SAMPLE_TILE_COUNT, SAMPLE_ZONES } from "./content.ts";
import { startSample, useSampleRun } from "./sample-run.ts";

export type SampleOfferProps = { readonly memberId: string; readonly onDecline: () => void };

/** Offers a sample board to the owner of an empty install. */
export function SampleOffer({ memberId, onDecline }: SampleOfferProps) {
  const client = useQueryClient();
  const run = useSampleRun();
  const [, goTo] = useLocation();
  const headingId = useId();
  const isBusy = run.status === "board" || run.status === "tiles";
  return (
    <section
      aria-labelledby={headingId}
      className="mx-auto mb-10 flex w-[calc(100%-2rem)] max-w-md flex-col gap-3 rounded-xl border border-line bg-surface p-4 text-sm"
    >
      <h2 id={headingId} className="text-base font-semibold">
        New here? Look at a sample first
      </h2>
      <p className="text-quiet">
        A second board about a small observatory: {SAMPLE_TILE_COUNT} tiles in {SAMPLE_ZONES.length} zones (notes, articles and a PDF), and
        three questions to ask. Nothing is fetched from the internet, and you can delete it like any board.
      </p>
      {run.status === "failed" && <Notice kind="problem">The sample board could not be created. {run.message}</Notice>}
      <div className="flex flex-wrap gap-2 max-sm:flex-col">
        <Button isBusy={isBusy} onClick={() => void startSample(client, memberId, (boardId) => goTo(`/b/${boardId}`))}>
          {run.status === "failed" ? "Try again" : "Try a sample board"}
        </Button>
        <Button variant="quiet" className="text-quiet" disabled={isBusy} onClick={onDecline}>
          Start empty
        </Button>
      </div>
    </section>
  );
}
