import type { ReactNode } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { RetryIcon } from "../../ui/icons/icons.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { getErrorMessage } from "../../api/client/client.ts";
import { showToast } from "../../ui/toasts.ts";
import { useDelivery, useRedeliver } from "../../api/settings.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { QueryView } from "../parts/query-view.tsx";

/** The request and response of a delivery, with a button to send it again. */
export function DeliveryDetails({ deliveryId, status }: { readonly deliveryId: string; readonly status: string }) {
  const delivery = useDelivery(deliveryId, status);
  const redeliver = useRedeliver();
  const sendAgain = () =>
    redeliver.mutate(deliveryId, {
      onSuccess: () => showToast({ text: "The event is being resent as a new delivery at the top of the log.", kind: "good" }),
      onError: (error) => showToast({ text: getErrorMessage(error), kind: "problem" }),
    });
  return (
    <QueryView query={delivery} label="the delivery">
      {({ url, createdAt, sentAt, error, headers, body, responseStatus, responseStart, durationMs, attempts, nextAttemptAt }) => (
        <div className="flex flex-col gap-4">
          {error !== null && <Notice kind="problem">{error}</Notice>}
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
            <Detail name="URL">
              <span className="break-all">{url}</span>
            </Detail>
            <Detail name="Created">{formatDateTime(createdAt)}</Detail>
            <Detail name="Sent">{sentAt === null ? "Not yet" : formatDateTime(sentAt)}</Detail>
            <Detail name="Response">{responseStatus === null ? "None" : `Status ${responseStatus}`}</Detail>
            {attempts > 1 && <Detail name="Attempts">{attempts}</Detail>}
            {nextAttemptAt !== null && <Detail name="Next attempt">{formatDateTime(nextAttemptAt)}</Detail>}
            {durationMs !== null && <Detail name="Duration">{durationMs.toLocaleString("en")} ms</Detail>}
          </dl>
          {headers !== null && (
            <CodeBlock
              label="Request headers"
              wraps
              text={Object.entries(headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join("\n")}
            />
          )}
          {body !== null && <CodeBlock label="Request body, unmodified" text={body} wraps />}
          {responseStart !== null && responseStart !== "" && <CodeBlock label="Start of the response" text={responseStart} wraps />}
          <div>
            <Button size="sm" onClick={sendAgain} isBusy={redeliver.isPending}>
              {!redeliver.isPending && <RetryIcon />}
              Resend
            </Button>
          </div>
        </div>
      )}
    </QueryView>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
