import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Panel } from "../../ui/floating/panel.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";
import { useSetWebhook } from "../../api/settings.ts";
import { Form, useForm } from "../parts/form.tsx";
import { EventFields, RetriesField } from "./event-fields.tsx";
import { DEFAULT_EVENTS } from "./events.ts";
import { validateUrl } from "./validate-url.ts";

/** Sets the webhook for the first time; passes the secret to `onSet`. */
export function WebhookForm({ onSet }: { readonly onSet: (secret: string) => void }) {
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState(DEFAULT_EVENTS);
  const [retries, setRetries] = useState(false);
  const set = useSetWebhook();
  const form = useForm({ url: "The URL", events: "The events" }, async () => {
    validateUrl(url);
    const { secret } = await set.mutateAsync({ url: url.trim(), events, retries });
    onSet(secret);
  });
  return (
    <Panel title="Set up the webhook" description="Events are sent once you set a URL.">
      <Form form={form}>
        <TextField
          label="URL"
          type="url"
          inputMode="url"
          placeholder="https://example.com/hook"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          error={form.errors.fields["url"]}
          hint="A receiver on your own network needs its host:port in WEBHOOK_ALLOW."
          autoComplete="off"
        />
        <EventFields chosen={events} onChange={setEvents} error={form.errors.fields["events"]} />
        <RetriesField isChecked={retries} onChange={setRetries} />
        <div>
          <Button variant="primary" type="submit" isBusy={form.isBusy}>
            Set webhook
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
