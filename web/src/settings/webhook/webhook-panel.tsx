import type { Webhook } from "@tessera-board/sdk";
import { useState } from "react";
import { getErrorMessage } from "../../api/client/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { Panel } from "../../ui/floating/panel.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { showToast } from "../../ui/toasts.ts";
import { useRemoveWebhook, useTestWebhook, useUpdateWebhook } from "../../api/settings.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { Form, useForm } from "../parts/form.tsx";
import { EventFields, RetriesField } from "./event-fields.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";
import { validateUrl } from "./validate-url.ts";

/** The current webhook: URL, events, secret and test. */
export function WebhookPanel({ webhook, onRotated }: { readonly webhook: Webhook; readonly onRotated: (secret: string) => void }) {
  const [isRotating, setRotating] = useState(false);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const test = useTestWebhook();
  const remove = useRemoveWebhook();
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: () => showToast({ text: "Test event sent. The result appears in the delivery log.", kind: "good" }),
      onError: (error) => showToast({ text: getErrorMessage(error), kind: "problem" }),
    });
  const confirmRemove = () =>
    setConfirmation({
      title: "Remove the webhook?",
      text: "Events are no longer sent, and the secret is deleted. A new webhook gets a new secret.",
      action: "Remove",
      run: () => remove.mutateAsync(),
      done: "Webhook removed.",
    });
  return (
    <>
      <AddressPanel webhook={webhook} onTest={sendTest} isTesting={test.isPending} onRemove={confirmRemove} />
      <Panel title="Signing secret" actions={<Button onClick={() => setRotating(true)}>Rotate…</Button>}>
        <p>The secret cannot be shown again. Rotate it if it may have leaked: anyone who has it can forge events.</p>
        {webhook.overlapUntil !== null && Date.parse(webhook.overlapUntil) > Date.now() && (
          <Notice kind="warn" className="mt-3">
            Until {formatDateTime(webhook.overlapUntil)} webhook-signature also contains a signature with the previous secret.
            X-Service-Signature uses only the new one.
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

type AddressPanelProps = {
  readonly webhook: Webhook;
  readonly onTest: () => void;
  readonly isTesting: boolean;
  readonly onRemove: () => void;
};

type Values = { readonly url: string; readonly events: readonly string[]; readonly retries: boolean };

function AddressPanel({ webhook, onTest, isTesting, onRemove }: AddressPanelProps) {
  // Unsaved changes; fields that equal the server's are absent.
  const [changes, setChanges] = useState<Partial<Values>>({});
  const { url, events, retries } = { url: webhook.url, events: webhook.events, retries: webhook.retries, ...changes };
  const isSame = url === webhook.url && events.join() === webhook.events.join() && retries === webhook.retries;
  const update = useUpdateWebhook();
  const form = useForm({ url: "The URL", events: "The events" }, async () => {
    validateUrl(url);
    await update.mutateAsync({ url: url.trim(), events, retries });
    setChanges({});
    showToast({ text: "Saved. The secret did not change.", kind: "good" });
  });
  const testButton = (
    <Button onClick={onTest} isBusy={isTesting}>
      Send test event
    </Button>
  );
  return (
    <Panel title="URL and events" description={isSame ? "Events are sent to this URL." : "You have unsaved changes."} actions={testButton}>
      <Form form={form}>
        <TextField
          label="URL"
          type="url"
          inputMode="url"
          value={url}
          onChange={(event) => setChanges((before) => ({ ...before, url: event.target.value }))}
          error={form.errors.fields["url"]}
          autoComplete="off"
        />
        <EventFields
          chosen={events}
          onChange={(chosen) => setChanges((before) => ({ ...before, events: chosen }))}
          error={form.errors.fields["events"]}
        />
        <RetriesField isChecked={retries} onChange={(isOn) => setChanges((before) => ({ ...before, retries: isOn }))} />
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" type="submit" isBusy={form.isBusy} disabled={isSame}>
            Save
          </Button>
          {!isSame && (
            <Button variant="quiet" onClick={() => setChanges({})}>
              Discard
            </Button>
          )}
          <Button variant="danger" className="ml-auto" onClick={onRemove}>
            Remove…
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
