import type { InboundAddress } from "@tessera-board/sdk";
import { useState } from "react";
import { useBoards } from "../../api/boards.ts";
import { useInboundAddresses, useRevokeInboundAddress } from "../../api/settings.ts";
import { Button } from "../../ui/controls/button.tsx";
import { LinkIcon, PlusIcon } from "../../ui/icons/icons.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { EmptyList } from "../parts/empty-list.tsx";
import { List } from "../parts/list.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { type Secret, SecretDialog } from "../parts/secret-dialog.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { AddressRow } from "./address-row.tsx";
import { NewAddressDialog } from "./new-address-dialog.tsx";

/** Lists, creates and revokes inbound addresses. */
export function InboundSection() {
  const addresses = useInboundAddresses();
  const boards = useBoards().data ?? [];
  const revoke = useRevokeInboundAddress();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const created = (url: string) => {
    setCreating(false);
    setSecret(toSecret(url));
  };
  const confirmRevoke = ({ id, name }: InboundAddress) =>
    setConfirmation({
      title: `Revoke “${name}”?`,
      text: "What is sent to its URL is refused immediately. This cannot be undone. The tiles that it created stay.",
      action: "Revoke",
      run: () => revoke.mutateAsync(id),
      done: `“${name}” revoked.`,
    });
  return (
    <SectionLayout
      title="Inbound addresses"
      lead="URLs for senders that can’t set a header: GitHub, Typeform, Slack, IFTTT, Shortcuts, mail servers. What they post becomes a tile."
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          <PlusIcon />
          New address
        </Button>
      }
    >
      <QueryView query={addresses} label="inbound addresses">
        {(list) =>
          list.length === 0 ? (
            <EmptyList icon={<LinkIcon />} title="No inbound addresses">
              Create one for each sender, so that you can revoke it alone.
            </EmptyList>
          ) : (
            <List label="Inbound addresses">
              {list.map((address) => (
                <AddressRow
                  key={address.id}
                  address={address}
                  boardName={boards.find(({ id }) => id === address.boardId)?.name ?? "A deleted board"}
                  onRevoke={() => confirmRevoke(address)}
                />
              ))}
            </List>
          )
        }
      </QueryView>
      {isCreating && <NewAddressDialog boards={boards} onClose={() => setCreating(false)} onCreated={created} />}
      <SecretDialog secret={secret} onDone={() => setSecret(null)} />
      <ConfirmAction confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </SectionLayout>
  );
}

const toSecret = (url: string): Secret => ({
  title: "Your new inbound address",
  note: "The URL is shown only once, and whoever has it can post to your board. Enter it as the webhook URL of the sender.",
  label: "URL",
  text: url,
  example: { label: "Try it in a terminal", text: `curl ${url} --json '{ "title": "A first note", "text": "It works." }'` },
});
