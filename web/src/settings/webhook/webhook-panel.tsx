import type { Webhook } from "@tessera/sdk";
import { useState } from "react";
import { getErrorMessage } from "../../api/client/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { Panel } from "../../ui/floating/panel.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { showToast } from "../../ui/toasts.ts";
import { useRemoveWebhook, useTestWebhook, useUpdateWebhook } from "../settings-queries.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { Form, useForm } from "../parts/form.tsx";
import { EventFields } from "./event-fields.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";
import { validateUrl } from "./validate-url.ts";

/** The current webhook: address, events, secret and test. */
export function WebhookPanel({ webhook, onRotated }: { readonly webhook: Webhook; readonly onRotated: (secret: string) => void }) {
  const [isRotating, setRotating] = useState(false);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const test = useTestWebhook();
  const remove = useRemoveWebhook();
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: () => showToast({ text: "A test event is on its way. Its outcome appears in the delivery log.", kind: "good" }),
      onError: (error) => showToast({ text: getErrorMessage(error), kind: "problem" }),
    });
  const confirmRemove = () =>
    setConfirmation({
      title: "Remove the webhook?",
      text: "No event is sent any more, and the secret is gone. A webhook set later has a new one.",
      action: "Remove",
      run: () => remove.mutateAsync(),
      done: "The webhook is removed.",
    });
  return (
    <>
      <AddressPanel webhook={webhook} onTest={sendTest} isTesting={test.isPending} onRemove={confirmRemove} />
      <Panel title="Signing secret" actions={<Button onClick={() => setRotating(true)}>Rotate …</Button>}>
        <p>
          It was shown once and can’t be shown again, only rotated. Do that when somebody may have seen it: they could pretend to be this
          service.
        </p>
        {webhook.overlapUntil !== null && Date.parse(webhook.overlapUntil) > Date.now() && (
          <Notice kind="warn" className="mt-3">
            Until {formatDateTime(webhook.overlapUntil)} the secret before it signs too, in webhook-signature. X-Service-Signature is made
            with the new one alone.
          </Notice>
        )}
      </Panel>
      {isRotating && (
        <RotateDialog
          onClose={() => setRotating(false)}
          onRotated={(secret) => {
            setRotating(false);
            onRotated(secret);
          }}
        />
      )}
      <ConfirmAction confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  );
}

function AddressPanel({
  webhook,
  onTest,
  isTesting,
  onRemove,
}: {
  readonly webhook: Webhook;
  readonly onTest: () => void;
  readonly isTesting: boolean;
  readonly onRemove: () => void;
}) {
  // Unsaved changes; null for fields that equal the server's.
  const [typedUrl, setUrl] = useState<string | null>(null);
  const [chosen, setEvents] = useState<readonly string[] | null>(null);
  const url = typedUrl ?? webhook.url;
  const events = chosen ?? webhook.events;
  const update = useUpdateWebhook();
  const discard = () => {
    setUrl(null);
    setEvents(null);
  };
  const isSame = url === webhook.url && events.join() === webhook.events.join();
  const form = useForm({ url: "The address", events: "The events" }, async () => {
    validateUrl(url);
    await update.mutateAsync({ url: url.trim(), events });
    discard();
    showToast({ text: "Saved. The secret is the same.", kind: "good" });
  });
  return (
    <Panel
      title="Address and events"
      description={isSame ? "Events are sent." : "Not saved yet."}
      actions={
        <Button onClick={onTest} isBusy={isTesting}>
          Send a test
        </Button>
      }
    >
      <Form form={form}>
        <TextField
          label="Address"
          type="url"
          inputMode="url"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          error={form.errors.fields["url"]}
          autoComplete="off"
        />
        <EventFields chosen={events} onChange={setEvents} error={form.errors.fields["events"]} />
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" type="submit" isBusy={form.isBusy} disabled={isSame}>
            Save
          </Button>
          {!isSame && (
            <Button variant="quiet" onClick={discard}>
              Discard
            </Button>
          )}
          <Button variant="danger" className="ml-auto" onClick={onRemove}>
            Remove …
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
