import type { ApiKey, Board } from "@tessera/sdk";
import { useState } from "react";
import { useBoards } from "../../api/boards.ts";
import { Button } from "../../ui/controls/button.tsx";
import { KeyIcon, PlusIcon } from "../../ui/marks/icons.tsx";
import { useKeys, useRevokeKey } from "../data.ts";
import { AskFirst, type Question } from "../parts/ask-first.tsx";
import { Empty } from "../parts/empty.tsx";
import { Frame } from "../parts/frame.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Rows } from "../parts/rows.tsx";
import { type Secret, SecretDialog } from "../parts/secret-dialog.tsx";
import { KeyEdit } from "./key-edit.tsx";
import { KeyForm, type NewKey } from "./key-form.tsx";
import { KeyRow } from "./key-row.tsx";
import { curlLine } from "./key-words.ts";

/** API keys: made, shown once, watched, revoked. */
export function KeysSection() {
  const keys = useKeys();
  const boards = useBoards().data ?? [];
  const revokeKey = useRevokeKey();
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [edited, setEdited] = useState<ApiKey | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const created = (made: NewKey) => {
    setMaking(false);
    setSecret(secretOf(made, boards));
  };
  const askToRevoke = ({ id, name }: ApiKey) =>
    setQuestion({
      title: `Revoke “${name}”?`,
      text: "What uses this key is refused at once. It can’t be undone; the key stays in the list as revoked.",
      action: "Revoke",
      run: () => revokeKey.mutateAsync(id),
      done: `“${name}” is revoked.`,
    });
  const nameOf = ({ boardId }: ApiKey) => (boardId === null ? null : (boards.find(({ id }) => id === boardId)?.name ?? "a deleted board"));
  const create = (
    <Button variant="primary" onClick={() => setMaking(true)}>
      <PlusIcon />
      New key
    </Button>
  );
  return (
    <Frame title="API keys" lead="Programs come in with a key. Give each one its own, with no more than it needs." actions={create}>
      <Loaded query={keys} label="API keys">
        {(list) => {
          const living = list.filter(isAlive);
          const gone = list.filter((key) => !isAlive(key));
          return (
            <>
              {living.length === 0 ? (
                <Empty icon={<KeyIcon />} title="No key that works yet">
                  A key lets a script, an automation or another tool read and fill your boards. The Recipes page shows how.
                </Empty>
              ) : (
                <Rows label="API keys">
                  {living.map((key) => (
                    <KeyRow
                      key={key.id}
                      apiKey={key}
                      boardName={nameOf(key)}
                      onEdit={() => setEdited(key)}
                      onRevoke={() => askToRevoke(key)}
                    />
                  ))}
                </Rows>
              )}
              {gone.length > 0 && (
                <details>
                  <summary className="w-fit rounded-md py-1 text-sm pointer-coarse:py-3 font-medium text-quiet hover:text-ink">
                    Revoked and ended ({gone.length})
                  </summary>
                  <div className="mt-2">
                    <Rows label="Revoked and ended keys">
                      {gone.map((key) => (
                        <KeyRow key={key.id} apiKey={key} boardName={nameOf(key)} />
                      ))}
                    </Rows>
                  </div>
                </details>
              )}
            </>
          );
        }}
      </Loaded>
      {isMaking && <KeyForm boards={boards} onClose={() => setMaking(false)} onCreated={created} />}
      {edited !== null && <KeyEdit apiKey={edited} onClose={() => setEdited(null)} />}
      <SecretDialog secret={secret} onDone={() => setSecret(null)} />
      <AskFirst question={question} onClose={() => setQuestion(null)} />
    </Frame>
  );
}

const isAlive = ({ revokedAt, expiresAt }: ApiKey): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

function secretOf({ key, permission, boardId }: NewKey, boards: readonly Board[]): Secret {
  const board = boardId ?? boards.find(({ isDefault }) => isDefault)?.id ?? "BOARD_ID";
  return {
    title: "Your new API key",
    note: "It is shown this once. Store it where the tool that uses it keeps its secrets.",
    label: "API key",
    text: key,
    example: { label: "Try it in a terminal", text: curlLine(location.origin, key, permission, board) },
  };
}
