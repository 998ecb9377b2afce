import { useState } from "react";
import { useMember } from "../../api/session.ts";
import { BoltIcon } from "../../ui/icons/icons.ts";
import { useWebhook } from "../../api/settings.ts";
import { EmptyList } from "../parts/empty-list.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { type Secret, SecretDialog } from "../parts/secret-dialog.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Subscriptions } from "./subscriptions.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookPanel } from "./webhook-panel.tsx";

const LEAD = "Events are sent to your URL as signed POST requests.";

/** The webhook. Only owners see it. */
export function WebhookSection() {
  const { isOwner } = useMember();
  return (
    <SectionLayout title="Webhook" lead={LEAD}>
      {isOwner ? (
        <OwnerWebhook />
      ) : (
        <EmptyList icon={<BoltIcon />} title="Only owners can see the webhook">
          The webhook receives the events of this business. Ask an owner to set it up. Owners are listed under Members.
        </EmptyList>
      )}
    </SectionLayout>
  );
}

function OwnerWebhook() {
  const webhook = useWebhook();
  const [secret, setSecret] = useState<Secret | null>(null);
  const show = (text: string, title: string) => setSecret({ ...SECRET, title, text });
  return (
    <>
      <QueryView query={webhook} label="the webhook">
        {(current) =>
          current === null ? (
            <WebhookForm onSet={(text) => show(text, "Webhook secret")} />
          ) : (
            <>
              <WebhookPanel webhook={current} onRotated={(text) => show(text, "New webhook secret")} />
              <Deliveries />
            </>
          )
        }
      </QueryView>
      <Subscriptions />
      <SecretDialog secret={secret} onDone={() => setSecret(null)} />
    </>
  );
}

const SECRET = {
  note: "The secret is shown only once. The receiver verifies the signature of every event with it; the Recipes page shows how.",
  label: "Signing secret",
} as const;
