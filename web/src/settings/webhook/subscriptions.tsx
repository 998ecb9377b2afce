import type { Subscription } from "@tessera-board/sdk";
import { useState } from "react";
import { getBoardName, useBoards } from "../../api/boards.ts";
import { useRemoveSubscription, useSubscriptions, useUpdateSubscription } from "../../api/subscriptions.ts";
import { getErrorMessage } from "../../api/client/client.ts";
import { BoltIcon } from "../../ui/icons/icons.ts";
import { showToast } from "../../ui/toasts.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { EmptyList } from "../parts/empty-list.tsx";
import { List } from "../parts/list.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { SubscriptionRow } from "./subscription-row.tsx";

/** The webhooks that keys and owners registered by the API. */
export function Subscriptions() {
  const subscriptions = useSubscriptions();
  const boards = useBoards().data;
  const update = useUpdateSubscription();
  const remove = useRemoveSubscription();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const setStatus = ({ id }: Subscription, status: "active" | "paused") =>
    update.mutate({ id, status }, { onError: (error) => showToast({ text: getErrorMessage(error), kind: "problem" }) });
  const confirmDeletion = ({ id, url }: Subscription) =>
    setConfirmation({
      title: "Delete this webhook?",
      text: `No more events are sent to ${url}. The program that registered it can register it again.`,
      action: "Delete",
      run: () => remove.mutateAsync(id),
      done: "Webhook deleted.",
    });
  return (
    <section aria-labelledby="subscriptions" className="flex flex-col gap-2">
      <h2 id="subscriptions" className="text-lg font-semibold">
        Registered webhooks
      </h2>
      <p className="text-sm text-quiet">Programs register these with an API key that an owner made for it. Failed events are sent again.</p>
      <QueryView query={subscriptions} label="the registered webhooks">
        {(list) =>
          list.length === 0 ? (
            <EmptyList icon={<BoltIcon />} title="No registered webhooks">
              Automation platforms can subscribe to events by themselves. Create an API key with webhooks for them.
            </EmptyList>
          ) : (
            <List label="Registered webhooks">
              {list.map((subscription) => (
                <SubscriptionRow
                  key={subscription.id}
                  subscription={subscription}
                  boardName={getBoardName(boards, subscription.boardId)}
                  onSetStatus={(status) => setStatus(subscription, status)}
                  onDelete={() => confirmDeletion(subscription)}
                />
              ))}
            </List>
          )
        }
      </QueryView>
      <ConfirmAction confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </section>
  );
}
