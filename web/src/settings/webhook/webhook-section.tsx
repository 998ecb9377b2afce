import { useState } from "react";
import { useMember } from "../../api/session.ts";
import { BoltIcon } from "../../ui/icons/icons.tsx";
import { useWebhook } from "../settings-queries.ts";
import { EmptyList } from "../parts/empty-list.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { type Secret, SecretDialog } from "../parts/secret-dialog.tsx";
import { Deliveries } from "./deliveries.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookPanel } from "./webhook-panel.tsx";

const LEAD = "Events go to an address of yours as signed POST requests: once each, without retries.";

/** The webhook. Only owners see it. */
export function WebhookSection() {
  const { isOwner } = useMember();
  return (
    <SectionLayout title="Webhook" lead={LEAD}>
      {isOwner ? (
        <OwnerWebhook />
      ) : (
        <EmptyList icon={<BoltIcon />} title="Only an owner sees the webhook">
          It decides where this business’s events are sent. Ask an owner to set it; Members lists who that is.
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
            <WebhookForm onSet={(text) => show(text, "The webhook is set")} />
          ) : (
            <>
              <WebhookPanel webhook={current} onRotated={(text) => show(text, "The new secret")} />
              <Deliveries />
            </>
          )
        }
      </QueryView>
      <SecretDialog secret={secret} onDone={() => setSecret(null)} />
    </>
  );
}

const SECRET = {
  note: "It is shown this once, and can only be rotated. The receiver checks every event’s signature with it; the Recipes page shows how.",
  label: "Signing secret",
} as const;
