import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { ListIcon, RetryIcon } from "../../ui/marks/icons.tsx";
import { useDeliveries } from "../data.ts";
import { Empty } from "../parts/empty.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { More } from "../parts/more.tsx";
import { DeliveryRow } from "./delivery-row.tsx";

/** The delivery log: every attempt, the newest first, read anew every few seconds. */
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
      <Loaded query={deliveries} label="the delivery log">
        {({ pages }) => {
          const list = pages.flatMap((page) => page.deliveries);
          if (list.length === 0) {
            return (
              <Empty icon={<ListIcon />} title="Nothing was sent in the last 30 days">
                Send a test, or paste a link on a board: each attempt appears here for 30 days, with what was sent and what came back.
              </Empty>
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
              <More query={deliveries} label="older deliveries" />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
