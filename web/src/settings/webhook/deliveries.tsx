import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { ListIcon, RetryIcon } from "../../ui/icons/icons.ts";
import { useDeliveries } from "../../api/settings.ts";
import { EmptyList } from "../parts/empty-list.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { LoadMoreButton } from "../parts/load-more-button.tsx";
import { DeliveryRow } from "./delivery-row.tsx";

/** The delivery log, newest first, polled every few seconds. */
export function Deliveries() {
  const deliveries = useDeliveries();
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <section aria-labelledby="deliveries" className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h2 id="deliveries" className="text-lg font-semibold">
          Delivery log
        </h2>
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
              <EmptyList icon={<ListIcon />} title="No deliveries in the last 30 days">
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
