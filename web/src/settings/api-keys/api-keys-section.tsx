import type { ApiKey, Board } from "@tessera-board/sdk";
import { useState } from "react";
import { getBoardName, useBoards } from "../../api/boards.ts";
import { Button } from "../../ui/controls/button.tsx";
import { KeyIcon, PlusIcon } from "../../ui/icons/icons.ts";
import { useApiKeys, useRevokeApiKey } from "../../api/settings.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { EmptyList } from "../parts/empty-list.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { List } from "../parts/list.tsx";
import { type Secret, SecretDialog } from "../parts/secret-dialog.tsx";
import { EditApiKeyDialog } from "./edit-api-key-dialog.tsx";
import { NewApiKeyDialog, type CreatedApiKey } from "./new-api-key-dialog.tsx";
import { ApiKeyRow } from "./api-key-row.tsx";
import { buildCurlCommand } from "./format.ts";

/** Lists, creates, edits and revokes API keys. */
export function ApiKeysSection() {
  const keys = useApiKeys();
  const boards = useBoards().data ?? [];
  const revokeKey = useRevokeApiKey();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [edited, setEdited] = useState<ApiKey | null>(null);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const created = (createdKey: CreatedApiKey) => {
    setCreating(false);
    setSecret(toSecret(createdKey, boards));
  };
  const confirmRevoke = ({ id, name }: ApiKey) =>
    setConfirmation({
      title: `Revoke “${name}”?`,
      text: "Requests with this key fail immediately. This cannot be undone. The key stays in the list as revoked.",
      action: "Revoke",
      run: () => revokeKey.mutateAsync(id),
      done: `“${name}” revoked.`,
    });
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <PlusIcon />
      New key
    </Button>
  );
  return (
    <SectionLayout
      title="API keys"
      lead="Programs authenticate with a key. Give each program its own key with the least permission it needs."
      actions={create}
    >
      <QueryView query={keys} label="API keys">
        {(list) => <ApiKeyLists apiKeys={list} boards={boards} onEdit={setEdited} onRevoke={confirmRevoke} />}
      </QueryView>
      {isCreating && <NewApiKeyDialog boards={boards} onClose={() => setCreating(false)} onCreated={created} />}
      {edited !== null && <EditApiKeyDialog apiKey={edited} onClose={() => setEdited(null)} />}
      <SecretDialog secret={secret} onDone={() => setSecret(null)} />
      <ConfirmAction confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </SectionLayout>
  );
}

type ApiKeyListsProps = {
  readonly apiKeys: readonly ApiKey[];
  readonly boards: readonly Board[];
  readonly onEdit: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
};

/** The active keys, and a collapsed list of the others. */
function ApiKeyLists({ apiKeys, boards, onEdit, onRevoke }: ApiKeyListsProps) {
  const active = apiKeys.filter(isActive);
  const inactive = apiKeys.filter((key) => !isActive(key));
  return (
    <>
      {active.length === 0 ? (
        <EmptyList icon={<KeyIcon />} title="No active API keys">
          Scripts and automation tools need a key to read and fill your boards. The Recipes page shows how.
        </EmptyList>
      ) : (
        <List label="API keys">
          {active.map((key) => (
            <ApiKeyRow
              key={key.id}
              apiKey={key}
              boardName={getBoardName(boards, key.boardId)}
              onEdit={() => onEdit(key)}
              onRevoke={() => onRevoke(key)}
            />
          ))}
        </List>
      )}
      {inactive.length > 0 && (
        <details>
          <summary className="w-fit rounded-md py-1 text-sm pointer-coarse:py-3 font-medium text-quiet hover:text-ink">
            Revoked and expired ({inactive.length})
          </summary>
          <div className="mt-2">
            <List label="Revoked and expired keys">
              {inactive.map((key) => (
                <ApiKeyRow key={key.id} apiKey={key} boardName={getBoardName(boards, key.boardId)} />
              ))}
            </List>
          </div>
        </details>
      )}
    </>
  );
}

const isActive = ({ revokedAt, expiresAt }: ApiKey): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

function toSecret({ key, permission, boardId }: CreatedApiKey, boards: readonly Board[]): Secret {
  const board = boardId ?? boards.find(({ isDefault }) => isDefault)?.id ?? "BOARD_ID";
  return {
    title: "Your new API key",
    note: "The key is shown only once. Store it with the secrets of the tool that uses it.",
    label: "API key",
    text: key,
    example: { label: "Try it in a terminal", text: buildCurlCommand(location.origin, key, permission, board) },
  };
}
