import type { ReactNode } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { RetryIcon } from "../../ui/marks/icons.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { dateTimeOf } from "../../ui/time/times.ts";
import { sentenceOf } from "../../api/client/client.ts";
import { showToast } from "../../ui/toasts.ts";
import { useDelivery, useRedeliver } from "../data.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Loaded } from "../parts/loaded.tsx";

/** What was sent, what came back, and how long it took, with a way to send it again. */
export function DeliveryDetails({ deliveryId, status }: { readonly deliveryId: string; readonly status: string }) {
  const delivery = useDelivery(deliveryId, status);
  const redeliver = useRedeliver();
  const sendAgain = () =>
    redeliver.mutate(deliveryId, {
      onSuccess: () => showToast({ text: "The event is sent once more, as a delivery of its own at the top.", kind: "good" }),
      onError: (error) => showToast({ text: sentenceOf(error), kind: "problem" }),
    });
  return (
    <Loaded query={delivery} label="the delivery">
      {({ url, createdAt, sentAt, error, headers, body, responseStatus, responseStart, durationMs }) => (
        <div className="flex flex-col gap-4">
          {error !== null && <Notice kind="problem">{error}</Notice>}
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
            <Fact name="Address">
              <span className="break-all">{url}</span>
            </Fact>
            <Fact name="Happened">{dateTimeOf(createdAt)}</Fact>
            <Fact name="Sent">{sentAt === null ? "Not yet" : dateTimeOf(sentAt)}</Fact>
            <Fact name="Answer">{responseStatus === null ? "None" : `Status ${responseStatus}`}</Fact>
            {durationMs !== null && <Fact name="Took">{durationMs.toLocaleString("en")} ms</Fact>}
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
          {body !== null && <CodeBlock label="Request body, byte for byte" text={body} wraps />}
          {responseStart !== null && responseStart !== "" && <CodeBlock label="Start of the response" text={responseStart} wraps />}
          <div>
            <Button size="sm" onClick={sendAgain} isBusy={redeliver.isPending}>
              {!redeliver.isPending && <RetryIcon />}
              Send again
            </Button>
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
