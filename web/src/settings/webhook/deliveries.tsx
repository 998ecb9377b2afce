import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { ListIcon, RetryIcon } from "../../ui/icons/icons.ts";
import { useDeliveries, useRedeliverFailed } from "../../api/settings.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { EmptyList } from "../parts/empty-list.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { LoadMoreButton } from "../parts/load-more-button.tsx";
import { DeliveryRow } from "./delivery-row.tsx";

const DAY_MS = 86_400_000;

/** The delivery log, newest first, polled every few seconds. */
export function Deliveries() {
  const [isFailedOnly, setFailedOnly] = useState(false);
  const deliveries = useDeliveries(isFailedOnly);
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <section aria-labelledby="deliveries" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="deliveries" className="text-lg font-semibold">
          Delivery log
        </h2>
        <label className="ml-auto flex items-center gap-2 text-sm pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={(event) => setFailedOnly(event.target.checked)}
            className="size-4 accent-(--accent)"
          />
          Failed only
        </label>
        <ResendButton />
        <Button size="sm" variant="quiet" isBusy={deliveries.isRefetching} onClick={() => void deliveries.refetch()}>
          {!deliveries.isRefetching && <RetryIcon />}
          Refresh
        </Button>
      </div>
      <QueryView query={deliveries} label="the delivery log">
        {({ pages }) => {
          const list = pages.flatMap((page) => page.deliveries);
          if (list.length === 0) {
            return (
              <EmptyList icon={<ListIcon />} title={isFailedOnly ? "No failed deliveries" : "No deliveries in the last 30 days"}>
                Send a test event, or add a link to a board. Each delivery is listed for 30 days with its request and response.
              </EmptyList>
            );
          }
          return (
            <>
              <ul aria-label="Deliveries" className="divide-y divide-line rounded-lg border border-line bg-raised">
                {list.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    delivery={delivery}
                    isOpen={openId === delivery.id}
                    onToggle={() => setOpenId(openId === delivery.id ? null : delivery.id)}
                  />
                ))}
              </ul>
              <LoadMoreButton query={deliveries} label="older deliveries" />
            </>
          );
        }}
      </QueryView>
    </section>
  );
}

/** Resends the failed events of the last day. */
function ResendButton() {
  const redeliver = useRedeliverFailed();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const confirm = () =>
    setConfirmation({
      title: "Resend failed events?",
      text: "All failed events of the last 24 hours are sent again, ten a second. They keep their ids, so that the receiver can skip those that it has.",
      action: "Resend",
      run: () => redeliver.mutateAsync(new Date(Date.now() - DAY_MS)),
      done: "The failed events are being resent.",
    });
  return (
    <>
      <Button size="sm" variant="quiet" onClick={confirm}>
        Resend failed…
      </Button>
      <ConfirmAction confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  );
}
