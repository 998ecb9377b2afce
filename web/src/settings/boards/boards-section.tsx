import type { Board } from "@tessera/sdk";
import { useState } from "react";
import { useBoards, useDeleteBoard, useRestoreBoard, useUpdateBoard } from "../../api/boards.ts";
import { sentenceOf } from "../../api/client/client.ts";
import { useMember } from "../../api/session.ts";
import { Button } from "../../ui/controls/button.tsx";
import { PlusIcon } from "../../ui/marks/icons.tsx";
import { showToast } from "../../ui/toasts.ts";
import { Frame } from "../parts/frame.tsx";
import { keepFocus } from "../parts/keep-focus.ts";
import { Loaded } from "../parts/loaded.tsx";
import { Rows } from "../parts/rows.tsx";
import { BoardForm } from "./board-form.tsx";
import { BoardRow } from "./board-row.tsx";
import { DeletedBoards } from "./deleted-boards.tsx";

/** Boards: created, renamed, made the default one, deleted with a way back, restored. */
export function BoardsSection() {
  const { canAdminister } = useMember();
  const boards = useBoards();
  const [isMaking, setMaking] = useState(false);
  const [renamed, setRenamed] = useState<Board | null>(null);
  const update = useUpdateBoard();
  const remove = useDeleteBoard();
  const restore = useRestoreBoard();
  const makeDefault = ({ id, name }: Board) =>
    update.mutate(
      { boardId: id, isDefault: true },
      {
        onSuccess: () => showToast({ text: `“${name}” is the default board now.`, kind: "good" }),
        onError: (error) => showToast({ text: sentenceOf(error), kind: "problem" }),
      },
    );
  const deleteBoard = ({ id, name }: Board) =>
    remove.mutate(id, {
      onSuccess: () => {
        keepFocus();
        showToast({ text: `“${name}” is deleted.`, action: { label: "Undo", onPress: () => restore.mutate(id) } });
      },
    });
  return (
    <Frame
      title="Boards"
      lead={
        canAdminister
          ? "Each board has zones and tiles of its own. The default board opens first and takes what names no other."
          : "Admins and owners create, rename and delete boards."
      }
      actions={
        canAdminister && (
          <Button variant="primary" onClick={() => setMaking(true)}>
            <PlusIcon />
            New board
          </Button>
        )
      }
    >
      <Loaded query={boards} label="boards">
        {(list) => (
          <Rows label="Boards">
            {list.map((board) => (
              <BoardRow
                key={board.id}
                board={board}
                canManage={canAdminister}
                onRename={() => setRenamed(board)}
                onMakeDefault={() => makeDefault(board)}
                onDelete={() => deleteBoard(board)}
              />
            ))}
          </Rows>
        )}
      </Loaded>
      {canAdminister && <DeletedBoards />}
      {isMaking && <BoardForm board={null} onClose={() => setMaking(false)} />}
      {renamed !== null && <BoardForm board={renamed} onClose={() => setRenamed(null)} />}
    </Frame>
  );
}
