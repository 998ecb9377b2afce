import type { Delivery } from "@tessera-board/sdk";
import { useId } from "react";
import { cn } from "../../ui/class-names.ts";
import { ChevronRightIcon } from "../../ui/icons/icons.ts";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { Badge, type BadgeTone } from "../parts/badge.tsx";
import { DeliveryDetails } from "./delivery-details.tsx";
import { RelativeTime } from "../../ui/time/relative-time.tsx";

/** A delivery that expands to its request and response. */
export function DeliveryRow({
  delivery,
  isOpen,
  onToggle,
}: {
  readonly delivery: Delivery;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const id = useId();
  const { event, createdAt, durationMs, error } = delivery;
  const { tone, label } = describeOutcome(delivery);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
        className="flex w-full items-center gap-3 px-4 py-2.5 text-left hover:bg-hover pointer-coarse:min-h-11"
      >
        <ChevronRightIcon className={cn("transition-transform", isOpen && "rotate-90")} />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <code className="text-sm font-medium">{event}</code>
          <Badge tone={tone}>{label}</Badge>
          {durationMs !== null && <span className="text-sm text-quiet">{durationMs.toLocaleString("en")} ms</span>}
          {error !== null && !isOpen && <span className="min-w-0 truncate text-sm text-quiet">{error}</span>}
        </span>
        <time dateTime={createdAt} title={formatDateTime(createdAt)} className="shrink-0 text-sm text-quiet">
          <RelativeTime at={createdAt} />
        </time>
      </button>
      {isOpen && (
        <div id={id} className="border-t border-line bg-surface px-4 py-4">
          <DeliveryDetails deliveryId={delivery.id} status={delivery.status} />
        </div>
      )}
    </li>
  );
}

function describeOutcome({ status, responseStatus }: Delivery): { readonly tone: BadgeTone; readonly label: string } {
  const code = responseStatus === null ? "" : ` ${responseStatus}`;
  if (status === "succeeded") return { tone: "good", label: `Delivered${code}` };
  if (status === "failed") return { tone: "danger", label: responseStatus === null ? "Failed" : `Rejected${code}` };
  if (status === "retrying") return { tone: "warn", label: `Retrying${code}` };
  return { tone: "plain", label: status === "sending" ? "Sending" : "Pending" };
}
